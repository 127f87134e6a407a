//! The boards of a new shop, as nobody asks for them by a request.

use super::api_types::{BoardFields, BoardTarget, NewBoard, SettingsFields};
use super::display::layout::Layout;
use super::state::BoardsState;
use crate::change_request::AnswerKeeper;
use crate::error::ApiError;
use crate::ids::BoardId;
use crate::repair_orders::api_types::By;
use crate::text::OneLine;

impl BoardsState {
    /// Adds a board of each of these names and layouts, never dimmed; nothing where there are boards already.
    pub(crate) async fn set_up(&self, boards: &[(&str, Layout)]) -> Result<(), ApiError> {
        if !self.list_boards().await?.is_empty() {
            return Ok(());
        }
        for (name, layout) in boards {
            let never_dimmed = SettingsFields {
                dim_from: Some(None),
                dim_until: Some(None),
                ..SettingsFields::default()
            };
            let new = NewBoard {
                name: OneLine((*name).to_owned()),
                layout: *layout,
                settings: Some(never_dimmed),
            };
            self.boards.add(new, &AnswerKeeper::none()).await?;
        }
        self.reload_boards().await
    }

    /// A link that makes a screen the shop's first board of this layout, to be put behind the server's address; none
    /// where there is no such board.
    pub(crate) async fn link_to(
        &self,
        layout: Layout,
        by: &By,
    ) -> Result<Option<String>, ApiError> {
        let mut boards = self.list_boards().await?.into_iter();
        let Some(board) = boards.find(|board| board.layout == layout) else {
            return Ok(None);
        };
        let target = BoardTarget {
            board_id: Some(BoardId(board.board_id)),
            fields: BoardFields::default(),
        };
        let link = self.boards.link(target, by, &AnswerKeeper::none()).await?;
        self.reload_boards().await?;
        Ok(Some(link.url))
    }
}

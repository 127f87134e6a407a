//! Our own staff collection does what every staff collection does.

use dispatch_actors::testing::Throwaway;
use dispatch_server::staff::StaffDocuments;

use super::staff_suite::staff_suite;

struct Ours {
    documents: StaffDocuments,
    _database: Throwaway,
}

impl std::ops::Deref for Ours {
    type Target = StaffDocuments;

    fn deref(&self) -> &StaffDocuments {
        &self.documents
    }
}

async fn on(database: Throwaway) -> Ours {
    Ours {
        documents: StaffDocuments::new(database.store().await),
        _database: database,
    }
}

mod sqlite {
    use super::*;
    staff_suite!(on(Throwaway::sqlite()));
}

mod postgres {
    use super::*;
    staff_suite!(async { on(Throwaway::postgres().await).await });
}

//! Stages of work: the shop's list, with the eleven that it begins with, and where each repair order stands.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0028_stages"
    }
}

const TABLE: &str = "stages";

/// Id; English, Spanish and German name; kind; colour; after how many minutes it is too long.
type Shipped = (
    &'static str,
    [&'static str; 3],
    &'static str,
    &'static str,
    Option<i32>,
);

/// In their order.
const SHIPPED: [Shipped; 11] = [
    (
        "to-be-dispatched",
        ["To be dispatched", "Por asignar", "Zuzuteilen"],
        "queue",
        "amber",
        Some(30),
    ),
    (
        "dispatched",
        ["Dispatched", "Asignada", "Zugeteilt"],
        "queue",
        "blue",
        Some(120),
    ),
    (
        "in-diagnosis",
        ["In diagnosis", "En diagnóstico", "In Diagnose"],
        "active",
        "violet",
        Some(120),
    ),
    (
        "waiting-for-approval",
        [
            "Waiting for approval",
            "Espera aprobación",
            "Wartet auf Freigabe",
        ],
        "hold",
        "amber",
        Some(120),
    ),
    (
        "waiting-for-parts",
        ["Waiting for parts", "Espera piezas", "Wartet auf Teile"],
        "hold",
        "amber",
        Some(2_880),
    ),
    (
        "sublet",
        ["Sublet", "Taller externo", "Fremdleistung"],
        "hold",
        "violet",
        Some(2_880),
    ),
    (
        "in-work",
        ["In work", "En trabajo", "In Arbeit"],
        "active",
        "teal",
        Some(480),
    ),
    (
        "quality-check",
        ["Quality check", "Control de calidad", "Qualitätskontrolle"],
        "active",
        "blue",
        Some(30),
    ),
    (
        "wash",
        ["Wash", "Lavado", "Wäsche"],
        "active",
        "blue",
        Some(45),
    ),
    (
        "ready",
        ["Ready", "Lista", "Fertig"],
        "done",
        "green",
        Some(480),
    ),
    (
        "with-the-customer",
        ["With the customer", "Con el cliente", "Beim Kunden"],
        "done",
        "grey",
        None,
    ),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if !manager.has_table(TABLE).await? {
            create_list(manager).await?;
        }
        let (orders, column) = ("repair_orders", "progress");
        if !manager.has_column(orders, column).await? {
            // Its stage, its holds and what is done, as JSON; null where nothing of it is known.
            let column = ColumnDef::new(column).text().take();
            let alteration = Table::alter().table(orders).add_column(column).to_owned();
            manager.alter_table(alteration).await?;
        }
        Ok(())
    }
}

async fn create_list(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let text = |name: &'static str| ColumnDef::new(name).text().not_null().take();
    let table = Table::create()
        .table(TABLE)
        .col(ColumnDef::new("id").text().not_null().primary_key())
        .col(text("name_en"))
        .col(text("name_es"))
        .col(text("name_de"))
        .col(text("kind"))
        .col(text("colour"))
        .col(ColumnDef::new("position").integer().not_null())
        .col(ColumnDef::new("too_long_minutes").integer())
        // It stays in histories.
        .col(ColumnDef::new("deleted_at").big_integer())
        .to_owned();
    manager.create_table(table).await?;
    let mut rows = Query::insert()
        .into_table(TABLE)
        .columns([
            "id",
            "name_en",
            "name_es",
            "name_de",
            "kind",
            "colour",
            "position",
            "too_long_minutes",
        ])
        .to_owned();
    for (position, (id, [en, es, de], kind, colour, too_long)) in (1_i32..).zip(SHIPPED) {
        let texts = [id, en, es, de, kind, colour].map(Expr::from);
        rows.values_panic(
            texts
                .into_iter()
                .chain([Expr::from(position), Expr::from(too_long)]),
        );
    }
    manager.exec_stmt(rows).await
}

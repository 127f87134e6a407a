//! What each figure is measured with: a shop of so many orders, a server on it, and one of this program's own scenarios
//! or the page in Chromium.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::process::Command;

use super::accounts::{copy_account, make_a_year_older, remove_password};
use super::{Figure, Options};
use crate::error::LoadTestError;
use crate::run::children::{Binaries, RunningServer, output_of, succeed, words};
use crate::run::shop::{OWNER, ShopMaker};

const PASSWORD: &str = "bench-only-here-4389";

/// Somebody who was invited, and has no password yet.
const INVITED: &str = "invited@example.com";

/// Every try is counted and none is put off.
const NO_SIGN_IN_LIMIT: [&str; 2] = ["--sign-in-limit", "1000000"];

const PEOPLE: u32 = 400;
const GUESSING_NETWORKS: u32 = 1_120;

pub struct Bench<'a> {
    pub options: &'a Options,
    pub binaries: &'a Binaries,
    /// For this figure alone.
    pub folder: &'a Path,
}

/// A data folder with orders and an owner.
struct Shop {
    data_dir: PathBuf,
    import_time: Duration,
}

impl Bench<'_> {
    pub async fn measure(&self, figure: Figure) -> Result<(), LoadTestError> {
        match figure {
            Figure::Changes => self.measure_changes().await,
            Figure::List => self.measure_list().await,
            Figure::Year => self.measure_year().await,
            Figure::Search => self.measure_search().await,
            Figure::Import => self.measure_import().await,
            Figure::Desk => self.measure_desk().await,
            Figure::Portal => self.measure_portal().await,
            Figure::SignIn => self.measure_sign_in().await,
            Figure::Admission => self.measure_admission().await,
            Figure::Pruning => self.measure_pruning().await,
        }
    }

    /// Where each measurement appends its rows of a Markdown table.
    pub fn rows_file(&self) -> PathBuf {
        self.folder.join("rows")
    }

    async fn measure_changes(&self) -> Result<(), LoadTestError> {
        let orders = self.part(1_000);
        let shop = self.make_shop("grouped", orders, 0).await?;
        let grouped = self.serve(&shop, &[]).await?;
        let single = self.serve_with_a_commit_each(orders).await?;
        let mut command = self.loadtest("changes");
        command.args(["--url", &grouped.url]);
        if let Some(single) = &single {
            command.args(["--against", &single.url]);
        }
        let options = format!(
            "--orders {orders} --writers 64 --seconds {} --rounds 5",
            self.part(6)
        );
        self.print_figures(command.args(words(&options))).await
    }

    /// None where this build cannot do that.
    async fn serve_with_a_commit_each(
        &self,
        orders: u64,
    ) -> Result<Option<RunningServer>, LoadTestError> {
        let mut help = Command::new(&self.binaries.dispatch);
        let help = output_of(help.args(["serve", "--help"])).await?;
        if !help.contains("--commit-group") {
            eprintln!(
                "this build has no --commit-group: not compared with a commit for each change"
            );
            return Ok(None);
        }
        let shop = self.make_shop("single", orders, 0).await?;
        self.serve(&shop, &["--commit-group", "1"]).await.map(Some)
    }

    async fn measure_list(&self) -> Result<(), LoadTestError> {
        let shop = self.make_shop("list", self.part(5_000), 0).await?;
        let server = self.serve(&shop, &[]).await?;
        let mut command = self.loadtest("list");
        command.args(["--url", &server.url, "--pid", &server.pid()]);
        let options = format!("--seconds {} --rounds 5", self.part(4));
        self.print_figures(command.args(words(&options))).await
    }

    async fn measure_year(&self) -> Result<(), LoadTestError> {
        let (open, closed) = (self.part(5_000), self.part(60_000));
        let orders = open + closed;
        let shop = self.make_shop("year", open, closed).await?;
        let took = shop.import_time.as_millis().max(1);
        self.print_row(
            &format!("import of {orders} ROs, no server"),
            &format!(
                "{}.{} s, {} a second",
                took / 1_000,
                took % 1_000 / 100,
                u128::from(orders) * 1_000 / took
            ),
        )?;
        let size = output_of(Command::new("du").arg("-sm").arg(&shop.data_dir)).await?;
        let megabytes = size.split_whitespace().next().unwrap_or("unknown");
        self.print_row(
            &format!("database of {orders} ROs"),
            &format!("{megabytes} MB"),
        )?;
        let mut command = self.loadtest("start");
        command.arg("--server").arg(&self.binaries.dispatch);
        command.arg("--data-dir").arg(&shop.data_dir);
        self.print_figures(command.args(["--rounds", "5"])).await
    }

    /// DISPATCH_DATABASE_URL measures it on another database, which must be empty.
    async fn measure_search(&self) -> Result<(), LoadTestError> {
        let (open, closed) = (self.part(5_000), self.part(60_000));
        let shop = self.make_shop("search", open, closed).await?;
        let server = self.serve(&shop, &[]).await?;
        let mut command = self.loadtest("search");
        command.args(["--url", &server.url, "--rounds", "100"]);
        self.print_figures(&mut command).await
    }

    async fn measure_import(&self) -> Result<(), LoadTestError> {
        for orders in [self.part(10_000), self.part(40_000)] {
            let name = format!("import-{orders}");
            let shop = self.make_shop(&name, self.part(1_000), 0).await?;
            let other_orders = ["--jobs", "3", "--first", "1000000", "--seed", "7"];
            let maker = self.shop_maker();
            let file = maker.write_orders(orders, 0, &other_orders).await?;
            let server = self.serve(&shop, &[]).await?;
            let mut command = self.loadtest("import");
            command.args(["--url", &server.url, "--pid", &server.pid()]);
            command.arg("--server").arg(&self.binaries.dispatch);
            command.arg("--data-dir").arg(&shop.data_dir);
            command.arg("--file").arg(file);
            let options = format!("--readers 200 --rate 20 --before {}", self.part(10));
            self.print_figures(command.args(words(&options))).await?;
            drop(server);
            // What cannot be removed now goes with the whole folder.
            let _ = fs::remove_dir_all(shop.data_dir);
        }
        Ok(())
    }

    /// The page in Chromium, with all orders that are open on it.
    async fn measure_desk(&self) -> Result<(), LoadTestError> {
        let shop = self.make_shop("desk", self.part(5_000), 0).await?;
        let server = self.serve(&shop, &[]).await?;
        let mut command = self.page_bench("desk.bench", &server);
        command.env("BENCH_LOADTEST", &self.binaries.loadtest);
        succeed(&mut command).await
    }

    /// Technicians' portals in Chromium, to which orders are given.
    async fn measure_portal(&self) -> Result<(), LoadTestError> {
        // One in five is given to nobody yet.
        let shop = self.make_shop("portal", self.part(4_000), 0).await?;
        let portals = self.options.portals;
        for number in 1..=portals {
            let email = format!("technician{number}@example.com");
            let number = number.to_string();
            let role = ["--role", "Technician", "--technician", &number];
            let maker = self.shop_maker();
            maker.add_user(&shop.data_dir, &email, &role).await?;
        }
        let server = self.serve(&shop, &NO_SIGN_IN_LIMIT).await?;
        let mut command = self.page_bench("portal.bench", &server);
        command.env("BENCH_PORTALS", portals.to_string());
        succeed(&mut command).await
    }

    /// Passwords that are refused, by turns for an account, for none and for one that is invited only.
    async fn measure_sign_in(&self) -> Result<(), LoadTestError> {
        let shop = self.make_shop("sign-in", 1, 0).await?;
        let maker = self.shop_maker();
        let role = ["--role", "Admin"];
        maker.add_user(&shop.data_dir, INVITED, &role).await?;
        remove_password(&shop.data_dir, INVITED).await?;
        let server = self.serve(&shop, &NO_SIGN_IN_LIMIT).await?;
        let mut command = self.loadtest("sign-in");
        command.args(["--url", &server.url]);
        let options = format!(
            "--known {OWNER} --invited {INVITED} --tries {}",
            self.part(500)
        );
        self.print_figures(command.args(words(&options))).await
    }

    /// An owner on a known device signs in while many people do, and while many networks guess.
    async fn measure_admission(&self) -> Result<(), LoadTestError> {
        let shop = self.make_shop("admission", 1, 0).await?;
        copy_account(&shop.data_dir, PEOPLE).await?;
        let mut command = self.loadtest("admission");
        command.arg("--server").arg(&self.binaries.dispatch);
        command.arg("--data-dir").arg(&shop.data_dir);
        let options = format!(
            "--people {PEOPLE} --networks {GUESSING_NETWORKS} --seconds {}",
            self.part(20)
        );
        self.print_figures(command.args(words(&options))).await
    }

    /// Changes beside a server that deletes a year of closed orders.
    async fn measure_pruning(&self) -> Result<(), LoadTestError> {
        let shop = self
            .make_shop("pruning", self.part(1_000), self.part(60_000))
            .await?;
        make_a_year_older(&shop.data_dir).await?;
        let mut command = self.loadtest("pruning");
        command.arg("--server").arg(&self.binaries.dispatch);
        command.arg("--data-dir").arg(&shop.data_dir);
        let options = format!("--rounds 5 --seconds {}", self.part(20));
        self.print_figures(command.args(words(&options))).await
    }

    fn shop_maker(&self) -> ShopMaker<'_> {
        ShopMaker {
            binaries: self.binaries,
            folder: self.folder,
            password: PASSWORD,
        }
    }

    async fn make_shop(&self, name: &str, open: u64, closed: u64) -> Result<Shop, LoadTestError> {
        let maker = self.shop_maker();
        let orders = maker.write_orders(open, closed, &[]).await?;
        let data_dir = self.folder.join(name);
        let import_time = maker.import(&orders, &data_dir).await?;
        maker.add_owner(&data_dir).await?;
        Ok(Shop {
            data_dir,
            import_time,
        })
    }

    /// A server with these options besides.
    async fn serve(&self, shop: &Shop, more: &[&str]) -> Result<RunningServer, LoadTestError> {
        let mut command = Command::new(&self.binaries.dispatch);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
        command.arg(&shop.data_dir).args(more);
        RunningServer::start(command, &shop.data_dir.with_extension("out")).await
    }

    fn loadtest(&self, scenario: &str) -> Command {
        let mut command = Command::new(&self.binaries.loadtest);
        command
            .arg(scenario)
            .envs([("LOADTEST_EMAIL", OWNER), ("LOADTEST_PASSWORD", PASSWORD)]);
        command
    }

    fn page_bench(&self, file: &str, server: &RunningServer) -> Command {
        let mut command = Command::new("npm");
        command
            .current_dir("web")
            .args(["run", "--silent", "bench", "--", file])
            .envs([("LOADTEST_EMAIL", OWNER), ("LOADTEST_PASSWORD", PASSWORD)])
            .env("BENCH_URL", &server.url)
            .env("BENCH_ROWS", self.rows_file());
        command
    }

    /// A scenario that prints its figures, and notes their rows.
    async fn print_figures(&self, command: &mut Command) -> Result<(), LoadTestError> {
        println!();
        succeed(command.arg("--markdown").arg(self.rows_file())).await
    }

    /// A figure that no scenario measures.
    fn print_row(&self, figure: &str, measured: &str) -> Result<(), LoadTestError> {
        println!("  {figure}   {measured}");
        let path = self.rows_file();
        let failed = |error| LoadTestError::Machine(format!("{}: {error}", path.display()));
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(&path);
        let mut file = file.map_err(failed)?;
        writeln!(file, "| {figure} | {measured} |  |").map_err(failed)
    }

    /// Orders or seconds, or as many as the scale leaves.
    fn part(&self, number: u64) -> u64 {
        number.div_ceil(self.options.scale)
    }
}

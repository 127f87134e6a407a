//! What the peers have not: many sessions, storms, slow readers, a server that is killed, a day.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::ValueEnum;

use super::{Load, LoadScenario};
use crate::error::LoadTestError;
use crate::run::children::{succeed, words};
use crate::run::shop::{copy_data, create_file};

impl Load<'_> {
    /// A run with a table of its own, against a fresh server.
    pub(super) async fn run_alone(&mut self, scenario: LoadScenario) {
        let part = |number| self.part(number);
        let arguments = match scenario {
            LoadScenario::Many => format!(
                "fanout --readers {} --rate 2 --changes {} --settle 3",
                part(10_000),
                2 * part(20)
            ),
            LoadScenario::Storm => format!("storm --readers {} --rate 4", part(5_000)),
            LoadScenario::Slow => {
                format!(
                    "slow --readers {} --rate 20 --seconds {}",
                    part(1_000),
                    part(25)
                )
            }
            LoadScenario::Day => format!(
                "day --boards {} --night {} --seconds {}",
                part(200),
                part(120),
                part(30)
            ),
            LoadScenario::Kill => format!(
                "chaos --readers {} --rate 4 --every 4 --kills 1 --seconds {}",
                part(5_000),
                part(15)
            ),
            LoadScenario::Chaos => format!(
                "chaos --readers {} --rate 50 --every 3 --seconds {}",
                part(200),
                part(30)
            ),
            LoadScenario::Fanout | LoadScenario::Write => return,
        };
        println!();
        let ran = match scenario {
            LoadScenario::Kill | LoadScenario::Chaos => self.run_with_kills(&arguments).await,
            _ => self.run_against_a_server(&arguments).await,
        };
        let name = scenario.to_possible_value();
        let name = name.as_ref().map_or("", |name| name.get_name());
        if let Err(error) = ran {
            self.fail(name, &error);
        }
    }

    async fn run_against_a_server(&self, arguments: &str) -> Result<(), LoadTestError> {
        let server = self.start("dispatch").await?;
        let mut command = self.loadtest(&words(arguments));
        command.args(["--url", &server.url, "--pid", &server.pid()]);
        succeed(&mut command).await
    }

    /// The scenario starts and kills the server itself.
    async fn run_with_kills(&self, arguments: &str) -> Result<(), LoadTestError> {
        let data_dir = self.folder.join("data");
        copy_data(&self.folder.join("shop"), &data_dir).await?;
        let server = self.folder.join("dispatch");
        self.write_pinned_server(&server)?;
        let mut command = self.loadtest(&words(arguments));
        command
            .arg("--server")
            .arg(server)
            .arg("--data-dir")
            .arg(data_dir);
        succeed(&mut command).await
    }

    fn write_pinned_server(&self, path: &Path) -> Result<(), LoadTestError> {
        let failed = |error| LoadTestError::Machine(format!("{}: {error}", path.display()));
        let (prefix, dispatch) = (self.cores.server_prefix(), self.binaries.dispatch.display());
        let mut file = create_file(path)?;
        write!(file, "#!/bin/sh\nexec {prefix}{dispatch} \"$@\"\n").map_err(failed)?;
        let executable = std::fs::Permissions::from_mode(0o755);
        file.set_permissions(executable).map_err(failed)
    }
}

//! The command line: one subcommand for each scenario, all against a running server.

use std::time::Duration;

use clap::{Args, Parser, Subcommand, value_parser};

use crate::bench::{changes, import, list, start, year};
use crate::target::Target;
use crate::trouble::Trouble;

/// Deliveries that one run keeps in memory to check them, at 48 bytes each.
const DELIVERIES: u64 = 20_000_000;

/// Simulated desks and readers against a running server, and the check that nobody missed anything.
///
/// Exit code: 0 every promise was kept, 1 one was broken (standard error says which), 2 the test
/// could not be made.
#[derive(Debug, Parser)]
#[command(name = "loadtest", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Some write, many listen: every reader must hear every change, once and in order
    ///
    /// Readers are Socket.IO clients that have heard `hello` before the first change. Writers
    /// change status and priority of the open repair orders over HTTP, and note which event
    /// numbers the server acknowledged. At the end every reader must have heard every number since
    /// its `hello`, once and in order (other people's changes included, so a moving demo may be
    /// tested too), and the repair orders it has in its picture must be those of a fresh list.
    ///
    /// Milliseconds: `request` is from sending a change to its answer. `commit to delivery` is
    /// from the event's own timestamp to the reader's having the frame; the server sets the
    /// timestamp, in whole milliseconds, before it commits, so this includes the commit itself.
    /// `answer to delivery` is negative where the reader had it before the writer had its answer.
    /// All include this program's own work: it runs on one thread.
    Fanout(Fanout),
    /// Durable changes a second, each answered before its writer asks for the next
    ///
    /// With --against the same is measured with a second server, in turn, and the ratio of the
    /// two medians is printed.
    Changes(changes::Options),
    /// The server's processor time for the list of open repair orders, changed and unchanged
    ///
    /// Changed: one order changes before each list, and both are counted together; what the change
    /// alone takes is measured by as many changes without lists. Unchanged: the list is asked for
    /// with the entity tag of the one before. Bytes on the wire are those of head and body, the
    /// body compressed.
    List(list::Options),
    /// Write a year of a believable shop as a file to import
    Year(year::Options),
    /// From starting the server until it is ready, and what memory it has then and at work
    Start(start::Options),
    /// What an import beside the server does to a desk at work
    ///
    /// A desk makes changes at a steady rate, first with nothing beside it and then during the
    /// import; open screens take everything that is announced.
    Import(import::Options),
}

#[derive(Clone, Debug, Args)]
pub struct Fanout {
    #[command(flatten)]
    pub target: Target,

    /// Readers that listen
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..=10_000))]
    pub readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(1..=500))]
    pub writers: u32,

    /// Changes that all writers make together
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub changes: u32,

    /// Changes a second that all writers make together [default: as fast as they are acknowledged]
    #[arg(long, value_name = "N", value_parser = rate)]
    pub rate: Option<f64>,

    /// Start no change after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = value_parser!(u64).range(1..=3_000))]
    pub within: u64,

    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

impl Fanout {
    /// What single options cannot tell: whether they make a test together.
    pub fn check(&self) -> Result<(), Trouble> {
        let deliveries = u64::from(self.readers) * u64::from(self.changes);
        if deliveries > DELIVERIES {
            return Err(Trouble::Options(format!(
                "{} readers and {} changes are {deliveries} deliveries; at most {DELIVERIES} can be checked in one run",
                self.readers, self.changes
            )));
        }
        let seconds = self.rate.map_or(0.0, |rate| f64::from(self.changes) / rate);
        if seconds > self.within as f64 {
            return Err(Trouble::Options(format!(
                "at this --rate {} changes take {seconds:.0} s; --within is {} s",
                self.changes, self.within
            )));
        }
        Ok(())
    }

    pub fn within(&self) -> Duration {
        Duration::from_secs(self.within)
    }
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if (0.01..=100_000.0).contains(&rate) => Ok(rate),
        _ => Err("a rate is a number from 0.01 to 100000".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn fanout(options: &[&str]) -> Result<Fanout, clap::Error> {
        let line = ["loadtest", "fanout"].iter().chain(options);
        Cli::try_parse_from(line).map(|cli| match cli.command {
            Command::Fanout(options) => options,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn other_machines_are_refused() {
        let error = fanout(&["--url", "http://192.0.2.1:8080"]).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("this machine"), "{error}");
    }

    #[test]
    fn a_run_that_cannot_end_in_time_is_refused() {
        let options = fanout(&["--changes", "500", "--rate", "0.5"]).unwrap();
        let refusal = options.check().unwrap_err().to_string();
        assert!(refusal.contains("1000 s"), "{refusal}");
        assert!(fanout(&["--rate", "0"]).is_err());
        assert!(fanout(&["--rate", "NaN"]).is_err());
    }

    #[test]
    fn a_run_that_does_not_fit_in_memory_is_refused() {
        let options = fanout(&["--changes", "1000000", "--readers", "100"]).unwrap();
        assert!(options.check().is_err());
    }
}

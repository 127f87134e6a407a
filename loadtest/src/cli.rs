//! The command line: one subcommand for each scenario, all against a server.

use clap::{Parser, Subcommand};

use crate::bench::{
    admission, changes, import, list, promise, pruning, search, sign_in, start, year,
};
use crate::compare_api;
use crate::rows;
use crate::run;
use crate::scenarios::{chaos, cluster, cluster_write, day, fanout, slow, storm, torture, write};

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
    /// Both include this program's own work: it runs on one thread.
    ///
    /// With --pid the server's processor time is told for each message that came to a reader
    /// (changes and ticks) and for each change, and the memory of each session while nothing
    /// happens: a few hundred come and go first.
    Fanout(fanout::Options),
    /// Several servers on one database: every reader of each must hear what is changed at one
    ///
    /// As `fanout`, with the readers of each server told apart: `commit to delivery` at the server
    /// that committed, and at the others.
    Cluster(cluster::Options),
    /// Durable changes a second of several servers on one database, and which processes they keep busy
    ///
    /// The writers are shared among the servers. Nobody reads.
    ClusterWrite(cluster_write::Options),
    /// Durable changes a second, and what one costs the server
    ///
    /// Each is answered before its writer asks for the next. Readers listen meanwhile and are
    /// checked as in `fanout`.
    Write(write::Options),
    /// Everybody's connection ends at the same moment: how long until all are back
    ///
    /// Connections end with RST. Readers come back as socket.io-client does by default: after half
    /// a second to one and a half, then later and later, up to 5 s; a server that sheds load
    /// answers 503. They resume with pid and offset where the server lets them, and load the list
    /// again where it does not. Once for all that come at the same time, which is kinder than
    /// browsers are.
    Storm(storm::Options),
    /// One reader in twenty stops reading: what the others notice of it
    ///
    /// Two phases at the same rate of changes, all reading and some stuck. With --pid the server's
    /// memory is told at the start, in the middle and at the end of the second. Those that were
    /// stuck must end up with everything, too.
    Slow(slow::Options),
    /// The server is killed and started again every few seconds, under writers and readers
    ///
    /// A request whose answer was lost is sent again with its Idempotency-Key until there is one.
    Chaos(chaos::Options),
    /// Disk, database and server fail again and again, under writers who insist and readers
    ///
    /// On SQLite the disk is full, fails to sync, is slow, or the server is killed; the first three
    /// with the library of `server/tests/faulty-io.c`. On PostgreSQL the server is killed, one of
    /// the database's processes is (which breaks every connection), or all of them stand still.
    ///
    /// Every acknowledged change must be in its order's history in the end, and no reader may be
    /// without one for longer than --grace-seconds while its screen says that it is live.
    Torture(torture::Options),
    /// A shop's day at speed: desks, technicians, boards, files, and connections that end
    ///
    /// Files come in through an intake key, which is made for it and revoked: the account must be
    /// an owner's. Boards of the four layouts are added by link, each with a token of its own, and
    /// taken down in the end; before that each must have the cards that the server has for it.
    /// With --night they hang there alone at first, and with --pid the server's processor time is
    /// told as a share of a core while nothing happens but ticks, heartbeats and a check a minute.
    Day(day::Options),
    /// Durable changes a second of two servers, in turn
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
    /// How early and how rightly the promise risk warns, on simulated years, and what a pass takes
    ///
    /// Beside the plain rule that warns of whatever is promised soon. Needs no server.
    Promise(promise::Options),
    /// Write the list of repair orders to a file, as the server answers it
    Rows(rows::Options),
    /// Write a year of a believable shop as a file to import
    Year(year::Options),
    /// From starting the server until it is ready, and what memory it has then and at work
    Start(start::Options),
    /// What deleting old rows does to a desk at work
    ///
    /// The same changes at a steady rate, by turns on a server that keeps everything and on one that deletes
    /// what is older than its shortest term.
    Pruning(pruning::Options),
    /// What an import beside the server does to a desk at work
    ///
    /// A desk makes changes at a steady rate, first with nothing beside it and then during the
    /// import; open screens take everything that is announced.
    Import(import::Options),
    /// How long a search of all orders takes, open and closed
    Search(search::Options),
    /// How long refused sign-ins take: for an account, for none, and for one without a password
    SignIn(sign_in::Options),
    /// How long an owner on a known device takes to sign in, whoever else wants to
    ///
    /// Starts the server itself, behind a proxy that says who asks. Four parts: the owner alone;
    /// beside people who sign in at the same moment, each in a network of their own and on a device
    /// that nobody knows; under a flood of wrong passwords from many networks, half of them for the
    /// owner; and under both. Answers are counted by their status.
    Admission(admission::Options),
    /// The differences of two builds' HTTP API
    ///
    /// Their OpenAPI documents are compared first. Then both are started on copies of one demo shop, get
    /// the same requests, and their answers are compared: status, headers and body, but for moments,
    /// ids and tokens. A line each; exit code 1 when there is one that --accept does not name.
    CompareApi(compare_api::Options),
    /// Several of these together, with the servers they are about
    Run(run::Options),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}

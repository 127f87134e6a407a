//! `dispatch user`, `dispatch token-key` and `dispatch staff`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ShopOptions;
use crate::staff::Role;

#[derive(Clone, Debug, Subcommand)]
pub enum User {
    /// Add a user; the password is asked for, or read from standard input.
    Add(AddUser),
    /// Give a user exactly these roles. Taking one away signs the user out everywhere. Unlike the
    /// screens it takes the role from the last owner, too, and only warns: here is the way back in
    /// for whoever is locked out.
    Role(SetUserRoles),
    /// Remove a user and sign them out everywhere. Unlike the screens it removes the last owner,
    /// too, and only warns: here is the way back in for whoever is locked out.
    Remove(NamedUser),
    /// Set another password for a user who has forgotten it, and sign them out everywhere; it is asked for, or
    /// read from standard input.
    SetPassword(SetPassword),
    /// List the users with their roles.
    List(ShopOptions),
    /// Turn two-factor authentication off for a user who has lost the phone, and sign them out
    /// everywhere.
    ResetTwoFactor(NamedUser),
    /// Sign a user out everywhere.
    SignOut(NamedUser),
}

#[derive(Clone, Debug, Args)]
pub struct AddUser {
    pub email: String,

    /// What the user is called on screens [default: the part of the email before @]
    #[arg(long)]
    pub name: Option<String>,

    /// Admin, Technician, Advisor, Service_Manager, Used or Owner; may be given several times
    #[arg(long = "role", value_name = "ROLE", required = true)]
    pub roles: Vec<Role>,

    /// The number of the technician this user is
    #[arg(long, value_name = "NUMBER")]
    pub technician: Option<i64>,

    /// Read the password from standard input, up to the end of its first line
    #[arg(long)]
    pub password_stdin: bool,

    #[command(flatten)]
    pub shop: ShopOptions,
}

#[derive(Clone, Debug, Args)]
pub struct SetUserRoles {
    pub email: String,

    /// Admin, Technician, Advisor, Service_Manager, Used or Owner; may be given several times;
    /// none takes all roles away
    #[arg(long = "role", value_name = "ROLE")]
    pub roles: Vec<Role>,

    #[command(flatten)]
    pub shop: ShopOptions,
}

#[derive(Clone, Debug, Args)]
pub struct SetPassword {
    pub email: String,

    /// Read the password from standard input, up to the end of its first line
    #[arg(long)]
    pub password_stdin: bool,

    #[command(flatten)]
    pub shop: ShopOptions,
}

#[derive(Clone, Debug, Args)]
pub struct NamedUser {
    pub email: String,

    #[command(flatten)]
    pub shop: ShopOptions,
}

#[derive(Clone, Debug, Subcommand)]
pub enum TokenKey {
    /// Sign ID tokens with a new key from now on.
    Rotate(RotateTokenKey),
}

#[derive(Clone, Debug, Args)]
pub struct RotateTokenKey {
    /// Refuse what the earlier keys have signed at once, as when one got out, and close the screens'
    /// connections that it opened; browsers get new tokens with their cookie. Otherwise it is good
    /// for its hour
    #[arg(long)]
    pub now: bool,

    /// End every session too, as when the database got out: everybody signs in again. Boards stay
    #[arg(long, requires = "now")]
    pub end_sessions: bool,

    #[command(flatten)]
    pub shop: ShopOptions,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Staff {
    /// Take accounts and staff records from exports of Firebase Authentication and Firestore; what
    /// is there already is left as it is.
    Import(StaffImport),
}

#[derive(Clone, Debug, Args)]
pub struct StaffImport {
    /// What `firebase auth:export FILE.json` wrote, or the collection 'users' as JSON: an object by
    /// id, or an array of objects with 'id'
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// File with the project's password hash parameters, as Firebase's console shows them under
    /// Authentication, Users; they hold a secret
    #[arg(long, value_name = "FILE")]
    pub hash_config: Option<PathBuf>,

    #[command(flatten)]
    pub shop: ShopOptions,
}

//! Whether a database can be ours: asked when it is opened, before anything is read or written.

use super::Driver;
use crate::error::{Error, Result};

impl Driver {
    /// Whether any text can be stored, and found again under the rules of Unicode.
    ///
    /// # Errors
    /// [`Error::Unfit`] with the reason, and what helps.
    pub(super) fn check_fitness(&self) -> Result<()> {
        let asked = self.with(|session| {
            let row = session
                .client
                .query_one("SELECT current_setting('server_encoding')", &[])?;
            row.try_get::<_, String>(0)
        });
        match asked?.as_str() {
            "UTF8" => Ok(()),
            other => Err(Error::Unfit(format!(
                "its encoding is {other}, which lacks letters that names have; make one with \
                 CREATE DATABASE directory ENCODING 'UTF8' TEMPLATE template0"
            ))),
        }
    }

    /// Whether the tables can be made, or brought to the present schema.
    ///
    /// # Errors
    /// [`Error::Unfit`] with what is missing, and [`Error::NotStored`] where changes are not taken.
    pub(in crate::dialect) fn check_migration(&self) -> Result<()> {
        self.check_changes()?;
        let asked = self.with(|session| {
            let row = session.client.query_one(
                "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), FALSE), current_user::text,
                    EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm'),
                    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm')",
                &[],
            )?;
            Ok((
                row.try_get::<_, bool>(0)?,
                row.try_get::<_, String>(1)?,
                row.try_get::<_, bool>(2)? || row.try_get::<_, bool>(3)?,
            ))
        });
        let (may_create, user, has_extension) = asked?;
        if !may_create {
            return Err(Error::Unfit(format!(
                "its user {user} may not make tables; an administrator allows it with GRANT CREATE ON SCHEMA public"
            )));
        }
        if !has_extension {
            return Err(Error::Unfit(
                "the extension pg_trgm is not installed on its server; it is in the package postgresql-contrib".to_owned(),
            ));
        }
        Ok(())
    }
}

//! What is made from something that goes on, in this process or in another.

/// The version at which something was read last.
pub struct SeenVersion<V>(V);

impl<V: PartialEq> SeenVersion<V> {
    pub fn new(version: V) -> Self {
        Self(version)
    }

    /// Calls `reload` where `newest` is another version than the one seen last. Where that fails, the
    /// next call does so again.
    pub async fn refresh_if_stale<E>(
        &mut self,
        newest: V,
        reload: impl Future<Output = Result<(), E>>,
    ) -> Result<(), E> {
        if self.0 != newest {
            reload.await?;
            self.0 = newest;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_version_is_reloaded_once_and_a_failed_reload_is_tried_again() {
        let mut seen_version = SeenVersion::new(1);
        let reload = async |seen_version: &mut SeenVersion<i32>,
                            newest,
                            result: Result<(), &'static str>| {
            let mut is_reloaded = false;
            let refreshed = seen_version.refresh_if_stale(newest, async {
                is_reloaded = true;
                result
            });
            let refreshed = refreshed.await;
            (is_reloaded, refreshed)
        };
        assert_eq!(reload(&mut seen_version, 1, Ok(())).await, (false, Ok(())));
        assert_eq!(
            reload(&mut seen_version, 2, Err("away")).await,
            (true, Err("away"))
        );
        assert_eq!(reload(&mut seen_version, 2, Ok(())).await, (true, Ok(())));
        assert_eq!(reload(&mut seen_version, 2, Ok(())).await, (false, Ok(())));
    }
}

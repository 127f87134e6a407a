import { ConfigurationBanner } from './configuration-banner.tsx';
import { MachineBanners } from './machine-banners.tsx';

/** What the server needs, for users who can see to it. Nearly always that is nothing: a screen is drawn without them. */
export function ServerBanners() {
  return (
    <>
      <MachineBanners />
      <ConfigurationBanner />
    </>
  );
}

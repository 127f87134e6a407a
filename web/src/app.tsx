// Providers and routes: the one place where the features meet.
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import {
  Gauge,
  Hourglass,
  LayoutList,
  MonitorPlay,
  Network,
  Phone,
  ScrollText,
  UserRoundCog,
  Wrench,
} from 'lucide-react';
import { type ComponentType, type ReactNode, Suspense, useEffect, useMemo } from 'react';
import { BrowserRouter, Navigate, Outlet, Route, Routes, useLocation, useMatch } from 'react-router';
import { isServerUnresponsive } from './api/server-time.ts';
import { onSessionChange, restoreSession, sessionState, type User } from './api/session.ts';
import { useInactivitySignOut } from './auth/inactivity.ts';
import { LoginScreen } from './auth/login-screen.tsx';
import { ProtectedRoute, SignedOutRoute } from './auth/route-guards.tsx';
import { usePermission, useUser } from './auth/use-session.ts';
import { dialogTexts } from './i18n/dialogs.ts';
import { failedRequest } from './i18n/failure-reason.ts';
import { loadTexts } from './i18n/i18n.ts';
import { screenTexts } from './i18n/screens.ts';
import { useTranslation } from './i18n/use-translation.ts';
import { deleteLocalDataOnSignOut } from './offline/local-data.ts';
import { NavigationBar } from './page-header/navigation-bar.tsx';
import { NotLiveBanner } from './page-header/not-live-banner.tsx';
import { NotSavingBanner } from './page-header/not-saving-banner.tsx';
import { RestoredBanner } from './page-header/restored-banner.tsx';
import type { ScreenLink, UnlistedScreen } from './page-header/screen-links.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { portalPath, startPath, watchedAt } from './portal/portal-access.ts';
import { forgetSavedPreferences } from './preferences/local-copy.ts';
import { preferencesOf } from './preferences/preferences.ts';
import { currentFreshness } from './repair-order/freshness.ts';
import { useLiveOrders } from './repair-order/live-connection.ts';
import { openOrders, watchTechnician } from './repair-order/live-orders.ts';
import { useHasStages } from './repair-order/stages.ts';
import { shop } from './shop/shop.ts';
import { Button } from './ui/button.tsx';
import { deferred } from './ui/deferred.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { loadParts, onPartFailed, part, RETRY_INTERVAL_MS, screenDrawn } from './ui/part.ts';
import { partScreen, ScreenNotLoaded } from './ui/part-screen.tsx';
import { RequestReference } from './ui/request-reference.tsx';
import { Spinner } from './ui/spinner.tsx';
import { showToast } from './ui/toaster.ts';
import { Toasts } from './ui/toasts.tsx';

/** Of the screens that load later: their texts are there before they render. */
function withTexts<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>) {
  return async () => (await Promise.all([fetchCode(), loadTexts(screenTexts)]))[0];
}

function laterScreen<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>) {
  return partScreen(part(withTexts(fetchCode)));
}

const ForgotScreen = laterScreen(async () => (await import('./auth/forgot-screen.tsx')).ForgotScreen);
const ResetScreen = laterScreen(async () => (await import('./auth/reset-screen.tsx')).ResetScreen);
// The login screen does not wait for the desk's code.
const desk = part(async () => (await import('./dashboard/dashboard.tsx')).Dashboard);
const Dashboard = partScreen(desk);
// Most people open the page at the desk: its code is there when their session is.
if (['/', '/dashboard'].includes(location.pathname)) desk.load().catch(() => undefined);
const UsersScreen = laterScreen(async () => (await import('./users/users-screen.tsx')).UsersScreen);
const Portal = laterScreen(
  async () => (await Promise.all([import('./portal/portal.tsx'), loadTexts(dialogTexts)]))[0].Portal,
);
const WorkloadScreen = laterScreen(
  async () =>
    (await Promise.all([import('./workload/workload-screen.tsx'), loadTexts(dialogTexts)]))[0].WorkloadScreen,
);
const OrganisationScreen = laterScreen(
  async () => (await import('./organisation/organisation-screen.tsx')).OrganisationScreen,
);
const BoardsScreen = laterScreen(
  async () => (await import('./board-management/boards-screen.tsx')).BoardsScreen,
);
const MyCustomersScreen = laterScreen(
  async () => (await import('./my-customers/my-customers-screen.tsx')).MyCustomersScreen,
);
const StageTimesScreen = laterScreen(
  async () => (await import('./stage-times/stage-times-screen.tsx')).StageTimesScreen,
);
const AuditScreen = laterScreen(async () => (await import('./audit/audit-screen.tsx')).AuditScreen);
const TestPage = laterScreen(async () => (await import('./test-page/test-page.tsx')).TestPage);

const OfflineKeeper = deferred(
  withTexts(async () => (await import('./offline/offline-sync.tsx')).OfflineSync),
);
const ServerBanners = deferred(async () => {
  await screenDrawn();
  const [{ ServerBanners: loaded }] = await Promise.all([
    import('./page-header/server-banners.tsx'),
    loadTexts(dialogTexts),
  ]);
  return loaded;
});
const AccountScreen = laterScreen(async () => (await import('./account/account-screen.tsx')).AccountScreen);
const AboutScreen = laterScreen(async () => (await import('./about/about-screen.tsx')).AboutScreen);
const SetUpScreen = laterScreen(async () => (await import('./auth/set-up-screen.tsx')).SetUpScreen);
const LinkScreen = laterScreen(async () => (await import('./auth/link-screen.tsx')).LinkScreen);

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: (failure) => console.warn('A call failed.', failure) }),
  // The HTTP layer retries by itself, the socket announces stale data, and only the socket knows whether the server
  // is reachable: the browser's online state must not hold a call back.
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

onSessionChange(() => {
  const session = sessionState();
  // The next user must not see the previous user's data.
  if (session.status === 'signed-out') {
    queries.clear();
    forgetSavedPreferences();
  }
  if (session.status !== 'signed-in') return;
  // Every signed-in screen needs the orders: they load while it renders.
  const { pathname } = location;
  watchTechnician(queries, watchedAt(pathname === '/' ? startPath(session.user) : pathname, session.user));
  void queries.prefetchQuery(openOrders);
  void queries.prefetchQuery(preferencesOf(session.user.uid));
});
deleteLocalDataOnSignOut();
void restoreSession();

/** The links of the bar. `hasStages`: whether the shop uses stages. A new screen gets its line here and its route below. */
function screensIn(t: TFunction, { roles, technicianId }: User, hasStages: boolean): ScreenLink[] {
  const own = roles.includes('Technician') ? technicianId : null;
  return [
    {
      path: '/dashboard',
      glyph: LayoutList,
      name: t('dashboard.title'),
      short: t('dashboard.short'),
      detail: t('dashboard.linkDetail'),
    },
    ...(own === null
      ? []
      : [
          {
            path: portalPath(own),
            glyph: Wrench,
            name: t('portal.mine'),
            short: t('portal.mine'),
            detail: t('portal.mineDetail'),
          },
        ]),
    ...(hasStages ? [myCustomers(t)] : []),
    {
      path: '/technicians',
      glyph: Gauge,
      name: t('workload.title'),
      short: t('workload.short'),
      detail: t('workload.linkDetail'),
    },
    ...(hasStages ? [stageTimes(t)] : []),
    {
      path: '/users',
      glyph: UserRoundCog,
      name: t('users.title'),
      short: t('users.short'),
      detail: t('users.linkDetail'),
      needs: 'manage-users',
    },
    {
      path: '/technician-management',
      glyph: Network,
      name: t('organisation.title'),
      short: t('organisation.short'),
      detail: t('organisation.linkDetail'),
    },
    {
      path: '/boards',
      glyph: MonitorPlay,
      name: t('boards.title'),
      short: t('boards.short'),
      detail: t('boards.linkDetail'),
      needs: 'manage-boards',
    },
    {
      path: '/audit',
      glyph: ScrollText,
      name: t('audit.title'),
      short: t('audit.short'),
      detail: t('audit.linkDetail'),
      needs: 'read-audit-trail',
    },
  ];
}

const myCustomers = (t: TFunction): ScreenLink => ({
  path: '/my-customers',
  glyph: Phone,
  name: t('myCustomers.title'),
  short: t('myCustomers.short'),
  detail: t('myCustomers.linkDetail'),
  needs: 'call-customers',
});

const stageTimes = (t: TFunction): ScreenLink => ({
  path: '/stage-times',
  glyph: Hourglass,
  name: t('stageTimes.title'),
  short: t('stageTimes.short'),
  detail: t('stageTimes.linkDetail'),
  needs: 'see-all-technicians',
});

/** The screens that have no link in the bar. */
function unlistedScreens(t: TFunction): UnlistedScreen[] {
  return [
    { path: '/technicians/:id', name: t('portal.short'), short: t('portal.short') },
    { path: '/account', name: t('bar.account'), short: t('bar.accountShort') },
    { path: '/about', name: t('bar.about'), short: t('bar.about') },
  ];
}

export function App() {
  const { t } = useTranslation();
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <ErrorBoundary fallback={(failure, retry) => <PageFailed failure={failure} retry={retry} />}>
          <Screens />
        </ErrorBoundary>
      </BrowserRouter>
      <Toasts
        region={t('toast.region', { hotkey: '{hotkey}' })}
        one={t('toast.one')}
        closeLabel={t('toast.close')}
      />
    </QueryClientProvider>
  );
}

function Screens() {
  return (
    <Routes>
      <Route
        path="/login"
        element={
          <SignedOutRoute>
            <LoginScreen />
          </SignedOutRoute>
        }
      />
      <Route
        path="/login/link"
        element={
          <LaterScreen>
            <LinkScreen />
          </LaterScreen>
        }
      />
      <Route
        path="/forgot-password"
        element={
          <SignedOutRoute>
            <LaterScreen>
              <ForgotScreen />
            </LaterScreen>
          </SignedOutRoute>
        }
      />
      <Route
        path="/reset-password"
        element={
          <LaterScreen>
            <ResetScreen />
          </LaterScreen>
        }
      />
      <Route
        path="/set-up"
        element={
          <LaterScreen>
            <SetUpScreen />
          </LaterScreen>
        }
      />
      <Route
        element={
          <ProtectedRoute>
            <SignedIn />
          </ProtectedRoute>
        }
      >
        <Route path="/dashboard" element={<Dashboard />} />
        <Route path="/users" element={<UsersScreen />} />
        <Route path="/technicians/:id" element={<Portal />} />
        <Route path="/technicians" element={<WorkloadScreen />} />
        <Route path="/technician-management" element={<OrganisationScreen />} />
        <Route path="/my-customers" element={<MyCustomersScreen />} />
        <Route path="/stage-times" element={<StageTimesScreen />} />
        <Route path="/boards" element={<BoardsScreen />} />
        <Route path="/audit" element={<AuditScreen />} />
        {shop.testPage && <Route path="/test" element={<TestPage />} />}
        <Route path="/account" element={<AccountScreen />} />
        <Route path="/about" element={<AboutScreen />} />
        <Route path="*" element={<Start />} />
      </Route>
    </Routes>
  );
}

/** Around a screen without the bar. */
function LaterScreen({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary
      fallback={(failure, retry) => <PageFailed failure={failure} retry={retry} />}
      resetKey={pathname}
    >
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** Where somebody begins who asked for no screen. A query stays, as links from outside have one. */
function Start() {
  const { pathname, search, hash } = useLocation();
  const start = startPath(useUser());
  return <Navigate to={pathname === '/' ? start + search + hash : start} replace />;
}

/** Around every signed-in screen: the bar, the live connection and the inactivity watch. */
function SignedIn() {
  const { t } = useTranslation();
  const user = useUser();
  const { pathname } = useLocation();
  useLiveOrders(watchedAt(pathname, user));
  useInactivitySignOut();
  useParts();
  const hasServerBanners = useHasServerBanners();
  const hasStages = useHasStages();
  const screens = useMemo(() => screensIn(t, user, hasStages), [t, user, hasStages]);
  const palette = (
    <ErrorBoundary fallback={null}>
      <PaletteButton screens={screens} />
    </ErrorBoundary>
  );
  return (
    <div className="flex h-full flex-col">
      <NavigationBar screens={screens} unlisted={unlistedScreens(t)} tools={palette} />
      <NotLiveBanner />
      {hasServerBanners && <ServerBanners />}
      <NotSavingBanner />
      <RestoredBanner />
      <WithoutConnection />
      {/* The way back to a screen that is there stays open. */}
      <ErrorBoundary
        fallback={(failure, retry) => <PageFailed failure={failure} retry={retry} />}
        resetKey={pathname}
      >
        <Suspense
          fallback={
            <main className="grid flex-1 place-items-center">
              <Spinner label={t('page.loading')} />
            </main>
          }
        >
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** Menus and palette: the desk has them loaded after its rows, the other screens when the browser has nothing to do. */
function useParts(): void {
  const { t } = useTranslation();
  const isDesk = useMatch('/dashboard') !== null;
  useEffect(() => {
    if (isDesk) return;
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(loadParts, 1_000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(loadParts);
    return () => cancelIdleCallback(idle);
  }, [isDesk]);
  useEffect(
    () =>
      onPartFailed(() => {
        // The server is silent, or the stream was cut a moment ago: to load the page again would not help.
        const isAway = isServerUnresponsive() || currentFreshness().kind === 'late';
        const text = t(isAway ? 'error.network' : 'page.failed');
        showToast({ tone: 'destructive', text, detail: t(isAway ? 'page.partLater' : 'page.reload') });
      }),
    [t],
  );
}

/** Whether the user may see anything of what the server needs. */
function useHasServerBanners(): boolean {
  const canSeeStatus = usePermission('see-server-status');
  const isOwner = usePermission('manage-users');
  return canSeeStatus || isOwner;
}

/** The technician page's offline support. A desk does not need it and does not load it. */
function WithoutConnection() {
  const { technicianId } = useUser();
  const isPortal = useMatch('/technicians/:id') !== null;
  if (technicianId === null && !isPortal) return null;
  return (
    <ErrorBoundary fallback={null}>
      <OfflineKeeper />
    </ErrorBoundary>
  );
}

/** Where only the screen's code is missing, as while the server restarts, the screen comes as soon as it can be loaded. */
function PageFailed({ failure, retry }: { failure: unknown; retry(): void }) {
  const { t } = useTranslation();
  useEffect(() => {
    if (!(failure instanceof ScreenNotLoaded)) return;
    const load = () => void failure.load().then(retry, () => undefined);
    const timer = setInterval(load, RETRY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [failure, retry]);
  return (
    <main className="grid h-full flex-1 place-content-center justify-items-center gap-4">
      <p role="alert" className="text-14">
        {t(isServerUnresponsive() ? 'error.not-kept' : 'page.failed')}
      </p>
      <RequestReference request={failedRequest(failure, t)} />
      <Button onClick={() => location.reload()}>{t('page.reload')}</Button>
    </main>
  );
}

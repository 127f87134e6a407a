import { Component, type ReactNode } from 'react';

/** Shows `fallback` when a child fails to render, or its code fails to load; a function gets why. */
export class ErrorBoundary extends Component<
  { fallback: ReactNode | ((failure: unknown) => ReactNode); children: ReactNode },
  { failed: boolean; failure: unknown }
> {
  override state = { failed: false, failure: null };

  static getDerivedStateFromError(failure: unknown) {
    return { failed: true, failure };
  }

  override render(): ReactNode {
    const { fallback, children } = this.props;
    if (!this.state.failed) return children;
    return typeof fallback === 'function' ? fallback(this.state.failure) : fallback;
  }
}

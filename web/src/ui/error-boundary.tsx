import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** A function gets why. */
  fallback: ReactNode | ((failure: unknown) => ReactNode);
  /** With another one the children are tried again: by then they are others. */
  resetKey?: string;
  children: ReactNode;
}

/** Shows `fallback` when a child fails to render, or its code fails to load. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean; failure: unknown }> {
  override state = { failed: false, failure: null };

  static getDerivedStateFromError(failure: unknown) {
    return { failed: true, failure };
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps): void {
    if (this.state.failed && resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render(): ReactNode {
    const { fallback, children } = this.props;
    if (!this.state.failed) return children;
    return typeof fallback === 'function' ? fallback(this.state.failure) : fallback;
  }
}

import { Component, type ReactNode } from 'react';
import { ScreenNotLoaded } from './part-screen.tsx';

interface ErrorBoundaryProps {
  /** A function gets why, and what tries again. */
  fallback: ReactNode | ((failure: unknown, retry: () => void) => ReactNode);
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

  override componentDidCatch(failure: unknown): void {
    if (failure instanceof ScreenNotLoaded) failure.forget();
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps): void {
    if (this.state.failed && resetKey !== this.props.resetKey) this.retry();
  }

  private readonly retry = () => this.setState({ failed: false, failure: null });

  override render(): ReactNode {
    const { fallback, children } = this.props;
    if (!this.state.failed) return children;
    return typeof fallback === 'function' ? fallback(this.state.failure, this.retry) : fallback;
  }
}

/** A car's outline, turned into a signal: the roof line is the nearest of three waves. One colour, legible at 16 px. */
export function Logo({ className = '' }: { className?: string }) {
  return (
    // The viewBox begins above the drawing, so that the middles of both are one.
    <svg viewBox="0 -1.1 16 16" fill="none" aria-hidden="true" className={className}>
      <path
        d="M1.75 12.5v-1.4c0-.9.6-1.6 1.5-1.8l.9-.2C4.9 7.3 6.3 6.5 8 6.5s3.1.8 3.85 2.6l.9.2c.9.2 1.5.9 1.5 1.8v1.4z"
        fill="currentColor"
      />
      <path
        d="M4.4 5.1a5 5 0 0 1 7.2 0M2.5 3a7.7 7.7 0 0 1 11 0"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <circle
        cx="4.7"
        cy="12.6"
        r="1.65"
        fill="currentColor"
        stroke="var(--logo-gap, var(--raised))"
        strokeWidth=".9"
      />
      <circle
        cx="11.3"
        cy="12.6"
        r="1.65"
        fill="currentColor"
        stroke="var(--logo-gap, var(--raised))"
        strokeWidth=".9"
      />
    </svg>
  );
}

/** The mark: a globe's meridians around a pharmacy's cross. */
export const LogoMark = ({ className = '' }: { className?: string }) => (
  <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
    <circle cx="16" cy="16" r="15" className="fill-primary" />
    <path
      d="M13 3.5q-11 12.5 0 25M19 3.5q11 12.5 0 25"
      className="fill-none stroke-primary-content/60"
      strokeWidth="1.5"
    />
    <path d="M16 9v14M9 16h14" className="stroke-primary-content" strokeWidth="4.5" strokeLinecap="round" />
  </svg>
)

import { formatUtc } from './format-date-time.ts'

/** "Jan 5, 2024, 14:03 UTC". */
export const DateTime = ({ at }: { at: string }) => <time dateTime={at}>{formatUtc(at)}</time>

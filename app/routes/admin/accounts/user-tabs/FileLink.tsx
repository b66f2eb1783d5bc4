import { ExternalLink, FileText } from '../../../../ui/icons.tsx'

/** A link to a file, opened in a new tab (specification, section 7). */
export const FileLink = ({ href, name, subject }: { href: string; name: string; subject?: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="text-link inline-flex items-center gap-1 whitespace-nowrap"
    aria-label={`${name}${subject ? ` of ${subject}` : ''} (opens in a new tab)`}
  >
    <FileText className="size-4" />
    {name}
    <ExternalLink className="size-3.5" />
  </a>
)

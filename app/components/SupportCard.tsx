import { paths } from '#domain/paths.ts'
import { Link } from '../render/Link.tsx'
import { Mail } from '../ui/icons.tsx'

/** How to contact support. */
export const SupportCard = ({ email, title, words }: { email: string; title: string; words: string }) => (
  <aside aria-label={title} className="card p-5">
    <Mail className="icon text-primary" />
    <p className="mt-3 font-semibold">{title}</p>
    <p className="mt-1 text-muted">{words}</p>
    <p className="mt-3 flex flex-col items-start">
      <a href={`mailto:${email}`} className="text-link inline-flex min-h-11 items-center break-all">
        {email}
      </a>
      <Link to={paths.contact} className="text-link inline-flex min-h-11 items-center print:hidden">
        Contact Us
      </Link>
    </p>
  </aside>
)

import { LegalPage } from './LegalPage.tsx'
import { Ban, CircleUser, Lock } from '../../ui/icons.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import { supportLoader } from '../../http/support-loader.server.ts'
import type { Route } from './+types/privacy'
import { privacyPolicy } from './privacy-policy.ts'

export const loader = (args: Route.LoaderArgs) => supportLoader(args)

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Privacy Policy',
    description:
      'What Meridian collects about you, what it is used for, how it is secured, with whom it is shared, and what you can ask of us.',
  })

export default function Privacy({ loaderData: support }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Privacy Policy"
      lead="What we collect when you use Meridian, what we use it for, who sees it, and what you can ask of us."
      updated={['January 2025', '2025-01']}
      inShort={[
        [Lock, 'Health details and documents are encrypted where they are stored.'],
        [Ban, 'We do not sell personal information, and there are no tracking cookies.'],
        [CircleUser, 'You may ask to see, correct or delete what we hold about you.'],
      ]}
      sections={privacyPolicy}
      contact={{
        email: support.email,
        title: 'Questions about your privacy',
        words:
          'Write to us to use any of these rights. When this policy changes, so does the date at its top.',
      }}
    />
  )
}

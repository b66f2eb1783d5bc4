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
    description: 'What Meridian collects about you, how we use, secure and share it, and your rights.',
  })

export default function Privacy({ loaderData: support }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Privacy Policy"
      lead="What we collect when you use Meridian, how we use it, who sees it, and your rights."
      updated={['January 2025', '2025-01']}
      inShort={[
        [Lock, 'Health details and documents are encrypted at rest.'],
        [Ban, 'We do not sell personal information, and there are no tracking cookies.'],
        [CircleUser, 'You can ask to see, correct or delete your data.'],
      ]}
      sections={privacyPolicy}
      contact={{
        email: support.email,
        title: 'Questions about your privacy',
        words:
          'Write to us to exercise any of these rights. When this policy changes, we update the date at the top.',
      }}
    />
  )
}

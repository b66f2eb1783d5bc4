import { PrescriptionPrompt } from '../../components/PrescriptionPrompt.tsx'
import { pageMeta } from '../../lib/page-meta.ts'
import type { Route } from './+types/prescriptions'

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'My Prescriptions',
    description: 'The prescriptions you uploaded, and where the review of each stands.',
    noindex: true,
  })

export default function Prescriptions() {
  return <PrescriptionPrompt returnTo="/prescriptions" back="/" />
}

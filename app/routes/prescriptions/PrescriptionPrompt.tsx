import { LinkButton } from '../../ui/Button.tsx'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'

/** What somebody who is not signed in sees of prescriptions, in the documented words. */
export const PrescriptionPrompt = ({ returnTo, back }: { returnTo: string; back: string }) => (
  <SignInPrompt
    title="Authentication Required"
    returnTo={returnTo}
    actions={<LinkButton to={back}>Back</LinkButton>}
  >
    <p>Please sign in to upload prescriptions</p>
    <p className="mt-2 text-sm">
      A prescription is kept encrypted, for you and for the pharmacy that reviews it.
    </p>
  </SignInPrompt>
)

import { LinkButton } from '../../ui/Button.tsx'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'

/** The sign-in prompt of the prescription pages, in the specified words. */
export const PrescriptionPrompt = ({ returnTo, back }: { returnTo: string; back: string }) => (
  <SignInPrompt
    title="Authentication Required"
    returnTo={returnTo}
    actions={<LinkButton to={back}>Back</LinkButton>}
  >
    <p>Please sign in to upload prescriptions</p>
    <p className="mt-2 text-sm">
      We encrypt your prescriptions. Only you and the pharmacy that reviews them can see them.
    </p>
  </SignInPrompt>
)

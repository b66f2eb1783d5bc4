import { LinkButton } from '../../ui/Button.tsx'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'

type PrescriptionPromptProps = {
  returnTo: string
  back: string
  /** Whether the session ended before the form was sent, without scripts. */
  isUnsent?: boolean
}

/** The sign-in prompt of the prescription pages, in the specified words. */
export const PrescriptionPrompt = ({ returnTo, back, isUnsent = false }: PrescriptionPromptProps) => (
  <SignInPrompt
    title="Authentication Required"
    returnTo={returnTo}
    actions={<LinkButton to={back}>Back</LinkButton>}
  >
    {isUnsent ? (
      <p className="mb-2 font-medium text-error">
        Your prescription hasn’t been submitted. Sign in, then choose the file again.
      </p>
    ) : null}
    <p>Please sign in to upload prescriptions</p>
    <p className="mt-2 text-sm">
      We encrypt your prescriptions. Only you and the pharmacy that reviews them can see them.
    </p>
  </SignInPrompt>
)

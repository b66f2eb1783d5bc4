import { Badge } from '../../../ui/Badge.tsx'
import { CircleCheck, Mail } from '../../../ui/icons.tsx'
import { FormDisclosure, ProofFields, SecurityCard, SecurityField, SecurityForm } from './SecurityForm.tsx'

const intent = 'change-email'

export const EmailCard = ({
  email,
  isConfirmed,
  hasPassword,
}: {
  email: string
  isConfirmed: boolean
  hasPassword: boolean
}) => (
  <SecurityCard
    id="email"
    icon={<Mail />}
    title="Email"
    badge={
      isConfirmed ? (
        <Badge tone="success" icon={<CircleCheck />}>
          Confirmed
        </Badge>
      ) : (
        <Badge tone="warning">Not confirmed</Badge>
      )
    }
  >
    <p className="wrap-anywhere">
      <Address email={email} />
    </p>
    {isConfirmed ? null : (
      <>
        <p>Open the link in the email we sent you to confirm your address.</p>
        <SecurityForm
          intent="resend-confirmation"
          submitLabel="Send the link again"
          pendingLabel="Sending…"
          className="space-y-4"
        />
      </>
    )}
    {hasPassword ? (
      <FormDisclosure intent={intent} summary="Change email">
        <SecurityForm intent={intent} kind="primary" submitLabel="Send a link" pendingLabel="Sending…">
          <SecurityField
            intent={intent}
            name="email"
            label="New email"
            type="email"
            autoComplete="email"
            hint="We’ll email you a link. Your address changes when you open it in this browser."
          />
          <ProofFields intent={intent} hasPassword needsCode={false} />
        </SecurityForm>
      </FormDisclosure>
    ) : (
      <p className="text-muted">Your sign-in provider manages your email address. Change it there.</p>
    )}
  </SecurityCard>
)

/** An address that is too long for its line breaks before its "@" first. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <b className="font-semibold">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </b>
  )
}

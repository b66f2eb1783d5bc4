import { Badge } from '../../../ui/Badge.tsx'
import { CircleCheck, Mail } from '../../../ui/icons.tsx'
import { OpenedForm, ProofField, SecurityCard, SecurityField, SecurityForm } from './SecurityForm.tsx'

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
        <p>Follow the link that we mailed to you, so that we know that mail reaches you.</p>
        <SecurityForm
          intent="resend-confirmation"
          submit="Send the link again"
          sending="Sending…"
          className="space-y-4"
        />
      </>
    )}
    {hasPassword ? (
      <OpenedForm intent={intent} summary="Change email">
        <SecurityForm intent={intent} kind="primary" submit="Send a link" sending="Sending…">
          <SecurityField
            intent={intent}
            name="email"
            label="New email"
            type="email"
            autoComplete="email"
            hint="We send a link there. The address changes when you follow it in this browser."
          />
          <ProofField intent={intent} hasPassword hasSecondFactor={false} />
        </SecurityForm>
      </OpenedForm>
    ) : (
      <p className="text-muted">It is kept by the service that signs you in, and changed there.</p>
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

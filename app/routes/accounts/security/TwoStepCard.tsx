import type { Security } from '#server/accounts/get-security-settings.ts'
import type { QrCode } from '#server/accounts/totp.ts'
import { useEffect, useRef } from 'react'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import { CircleCheck, ShieldCheck } from '../../../ui/icons.tsx'
import { OpenedForm, ProofField, SecurityCard, SecurityField, SecurityForm } from './SecurityForm.tsx'

type TwoStepCardProps = {
  secondFactor: Security['secondFactor']
  hasPassword: boolean
  /** Whether it may be turned off. */
  isRequired: boolean
  /** Recovery codes that were made just now. */
  codes: readonly string[] | null
}

/** The second step of a sign-in: off, being set up, or on. */
export const TwoStepCard = ({ secondFactor, hasPassword, isRequired, codes }: TwoStepCardProps) => (
  <SecurityCard
    id="two-step"
    icon={<ShieldCheck />}
    title="Two-step sign-in"
    badge={
      secondFactor.state === 'on' ? (
        <Badge tone="success" icon={<CircleCheck />}>
          On
        </Badge>
      ) : (
        <Badge>Off</Badge>
      )
    }
  >
    {codes ? <RecoveryCodes codes={codes} /> : null}
    {secondFactor.state === 'off' ? <Off hasPassword={hasPassword} /> : null}
    {secondFactor.state === 'begun' ? <Begun {...secondFactor} /> : null}
    {secondFactor.state === 'on' && !codes ? (
      <On codesLeft={secondFactor.codesLeft} hasPassword={hasPassword} isRequired={isRequired} />
    ) : null}
  </SecurityCard>
)

const Off = ({ hasPassword }: { hasPassword: boolean }) => (
  <>
    <p>
      Signing in asks for a code from an app on your phone, besides your password. A stolen password alone
      then opens nothing.
    </p>
    <OpenedForm intent="begin-second-factor" summary="Set up two-step sign-in">
      <SecurityForm intent="begin-second-factor" kind="primary" submit="Continue" sending="One moment…">
        <ProofField intent="begin-second-factor" hasPassword={hasPassword} hasSecondFactor={false} />
      </SecurityForm>
    </OpenedForm>
  </>
)

const Begun = ({ secret, address, qrCode }: { secret: string; address: string; qrCode: QrCode }) => (
  <>
    <ol className="list-decimal space-y-5 ps-5 marker:font-semibold">
      <li>
        <p>Scan this picture with an authenticator app.</p>
        <QrPicture {...qrCode} />
        <p className="mt-3">
          On this device?{' '}
          <a href={address} className="text-link">
            Open it in your app
          </a>
          , or type this key there:
        </p>
        <p className="mt-1 flex items-center gap-2">
          <code className="font-mono wrap-anywhere">{secret}</code>
          <CopyButton label="the key" text={secret.replaceAll(' ', '')} />
        </p>
      </li>
      <li>
        <p>Enter the code that the app shows.</p>
        <div className="mt-3 max-w-md">
          <SecurityForm intent="confirm-second-factor" kind="primary" submit="Turn on" sending="Turning on…">
            <SecurityField
              intent="confirm-second-factor"
              name="code"
              label="Code"
              autoComplete="one-time-code"
              hint="Six digits; a new one comes every 30 seconds."
            />
          </SecurityForm>
        </div>
      </li>
    </ol>
    <SecurityForm intent="cancel-second-factor" submit="Cancel" sending="One moment…" className="ps-5" />
  </>
)

/** Dark on light in both themes, or no camera reads it. */
const QrPicture = ({ size, path }: QrCode) => (
  <svg
    role="img"
    aria-label="QR picture of the key below"
    viewBox={`0 0 ${size} ${size}`}
    shapeRendering="crispEdges"
    className="mt-3 size-52 rounded-field border border-line"
  >
    <rect width={size} height={size} fill="#fff" />
    <path d={path} fill="#000" />
  </svg>
)

const On = ({
  codesLeft,
  hasPassword,
  isRequired,
}: {
  codesLeft: number
  hasPassword: boolean
  isRequired: boolean
}) => (
  <>
    <p>
      Signing in asks for a code from your app. Without your phone a recovery code does:{' '}
      <b className="font-semibold">{codesLeft === 1 ? '1 is left' : `${codesLeft} are left`}</b>, each works
      once.
    </p>
    <OpenedForm intent="renew-recovery-codes" summary="Make new recovery codes">
      <SecurityForm
        intent="renew-recovery-codes"
        kind="primary"
        submit="Make new codes"
        sending="One moment…"
      >
        <p>The codes that you have now stop working.</p>
        <ProofField intent="renew-recovery-codes" hasPassword={hasPassword} hasSecondFactor />
      </SecurityForm>
    </OpenedForm>
    {isRequired ? (
      <p className="text-muted">Whoever administers this shop needs it, so it cannot be turned off.</p>
    ) : (
      <OpenedForm intent="turn-off-second-factor" summary="Turn two-step sign-in off">
        <SecurityForm intent="turn-off-second-factor" submit="Turn off" sending="Turning off…">
          <ProofField intent="turn-off-second-factor" hasPassword={hasPassword} hasSecondFactor />
        </SecurityForm>
      </OpenedForm>
    )}
  </>
)

/** Shown once; takes the focus, for the form that made them is gone. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [codes])
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="status"
      className="rounded-box border border-success/50 bg-base-100 p-4 sm:p-5"
    >
      <p className="font-semibold text-success">Two-step sign-in is on. Keep these recovery codes</p>
      <p className="mt-1">
        Each signs you in once when your phone is not at hand. They are shown only now: print them, or write
        them down, and keep them apart from your phone.
      </p>
      <ul className="mt-4 grid max-w-xs grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-x-4 gap-y-1 font-mono whitespace-nowrap tabular-nums">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <LinkButton to="/account/security" kind="primary">
          I have kept them
        </LinkButton>
        <CopyButton label="the recovery codes" text={codes.join('\n')} />
      </div>
    </div>
  )
}

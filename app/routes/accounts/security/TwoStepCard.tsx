import { paths } from '#domain/paths.ts'
import type { SecuritySettings } from '#server/accounts/get-security-settings.ts'
import type { QrCode } from '#server/accounts/totp.ts'
import { useEffect, useRef } from 'react'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import { CircleCheck, ShieldCheck } from '../../../ui/icons.tsx'
import { FormDisclosure, ProofFields, SecurityCard, SecurityField, SecurityForm } from './SecurityForm.tsx'

type TwoStepCardProps = {
  secondFactor: SecuritySettings['secondFactor']
  hasPassword: boolean
  isEmailConfirmed: boolean
  /** Whether the shop requires it, so it cannot be turned off. */
  isRequired: boolean
  /** Recovery codes that were just created. */
  codes: readonly string[] | null
}

/** The second step of a sign-in: off, pending, or on. */
export const TwoStepCard = ({
  secondFactor,
  hasPassword,
  isEmailConfirmed,
  isRequired,
  codes,
}: TwoStepCardProps) => (
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
    {secondFactor.state === 'off' && isEmailConfirmed ? <Off hasPassword={hasPassword} /> : null}
    {secondFactor.state === 'off' && !isEmailConfirmed ? <Unconfirmed /> : null}
    {secondFactor.state === 'pending' ? <Setup {...secondFactor} /> : null}
    {secondFactor.state === 'on' && !codes ? (
      <On codesLeft={secondFactor.codesLeft} hasPassword={hasPassword} isRequired={isRequired} />
    ) : null}
  </SecurityCard>
)

/** The address may be another person's (docs/decisions/0025-known-devices.md). */
const Unconfirmed = () => (
  <p>
    Confirm your email address first. Open the link we emailed you, or{' '}
    <a href="#email" className="text-link">
      send it again
    </a>
    .
  </p>
)

const Off = ({ hasPassword }: { hasPassword: boolean }) => (
  <>
    <p>
      You’ll sign in with your password and a code from an app on your phone. A stolen password alone won’t
      open your account.
    </p>
    <FormDisclosure intent="begin-second-factor" summary="Set up two-step sign-in">
      <SecurityForm
        intent="begin-second-factor"
        kind="primary"
        submitLabel="Continue"
        pendingLabel="One moment…"
      >
        <ProofFields intent="begin-second-factor" hasPassword={hasPassword} needsCode={false} />
      </SecurityForm>
    </FormDisclosure>
  </>
)

const Setup = ({ secret, uri, qrCode }: { secret: string; uri: string; qrCode: QrCode }) => (
  <>
    <ol className="list-decimal space-y-5 ps-5 marker:font-semibold">
      <li>
        <p>Scan this QR code with an authenticator app.</p>
        <QrPicture {...qrCode} />
        <p className="mt-3">
          On this device?{' '}
          <a href={uri} className="text-link">
            Open it in your app
          </a>
          , or enter this key there:
        </p>
        <p className="mt-1 flex items-center gap-2">
          <code className="font-mono wrap-anywhere">{secret}</code>
          <CopyButton label="the key" text={secret.replaceAll(' ', '')} />
        </p>
      </li>
      <li>
        <p>Enter the code from the app.</p>
        <div className="mt-3 max-w-md">
          <SecurityForm
            intent="confirm-second-factor"
            kind="primary"
            submitLabel="Turn on"
            pendingLabel="Turning on…"
          >
            <SecurityField
              intent="confirm-second-factor"
              name="code"
              label="Code"
              autoComplete="one-time-code"
              hint="Six digits. A new code appears every 30 seconds."
            />
          </SecurityForm>
        </div>
      </li>
    </ol>
    <SecurityForm
      intent="cancel-second-factor"
      submitLabel="Cancel"
      pendingLabel="One moment…"
      className="ps-5"
    />
  </>
)

/**
 * Dark on light in both themes; cameras cannot read it otherwise. Its name is not "QR code": the
 * label Code belongs to the field alone (contract, "Labels that automation relies on").
 */
const QrPicture = ({ size, path }: QrCode) => (
  <svg
    role="img"
    aria-label="QR image of the key below"
    viewBox={`0 0 ${size} ${size}`}
    shapeRendering="crispEdges"
    className="mt-3 size-52 max-w-full rounded-field border border-line"
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
      You sign in with a code from your app, or with a recovery code when you don’t have your phone. You have{' '}
      <b className="font-semibold">
        {codesLeft === 1 ? '1 recovery code' : `${codesLeft} recovery codes`} left
      </b>
      . Each works once.
    </p>
    <FormDisclosure intent="renew-recovery-codes" summary="Create new recovery codes">
      <SecurityForm
        intent="renew-recovery-codes"
        kind="primary"
        submitLabel="Create new codes"
        pendingLabel="One moment…"
      >
        <p>Your current codes will stop working.</p>
        <ProofFields intent="renew-recovery-codes" hasPassword={hasPassword} needsCode />
      </SecurityForm>
    </FormDisclosure>
    {isRequired ? (
      <p className="text-muted">Staff accounts can’t turn it off.</p>
    ) : (
      <FormDisclosure intent="turn-off-second-factor" summary="Turn off two-step sign-in">
        <SecurityForm intent="turn-off-second-factor" submitLabel="Turn off" pendingLabel="Turning off…">
          <ProofFields intent="turn-off-second-factor" hasPassword={hasPassword} needsCode />
        </SecurityForm>
      </FormDisclosure>
    )}
  </>
)

/** Shown once. Takes the focus, because the form that created the codes is gone. */
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
      <p className="font-semibold text-success">Two-step sign-in is on. Save these recovery codes</p>
      <p className="mt-1">
        Each one signs you in once when you don’t have your phone. We won’t show them again: print them or
        write them down, and don’t keep them with your phone.
      </p>
      <ul className="mt-4 grid max-w-xs grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-x-4 gap-y-1 font-mono whitespace-nowrap tabular-nums">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <LinkButton to={paths.account.security} kind="primary">
          I’ve saved them
        </LinkButton>
        <CopyButton label="the recovery codes" text={codes.join('\n')} />
      </div>
    </div>
  )
}

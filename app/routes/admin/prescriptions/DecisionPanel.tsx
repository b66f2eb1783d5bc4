import type { Review } from '#domain/prescriptions/prescription-review.ts'
import { statusMessages, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { MessageCircle } from '../../../ui/admin-icons.tsx'
import { Button } from '../../../ui/Button.tsx'
import { StaleNotice, type StaleField } from '../../../ui/data-grid/StaleNotice.tsx'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { CircleCheck, CircleX, Undo2 } from '../../../ui/icons.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { availableActions, type ReviewAction } from './available-actions.ts'
import { QuestionDialog } from './QuestionDialog.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { Key } from './Key.tsx'

type Decision = { status: PrescriptionStatus; statusReason?: string }

/** A decision or a question that is sent for one version of the review. */
type Attempt = {
  failureTitle: string
  /** What the sender meant beside what is stored now. */
  compare: (current: Review) => StaleField[]
  send: (version: number) => Promise<void>
}

type DecisionPanelProps = {
  review: Review
  onDecided: (id: string, to: PrescriptionStatus) => void
  /** The review changed in a way that the queue shows. */
  onUpdated: (id: string, changes: { status?: PrescriptionStatus; question?: 'asked' }) => void
  /** Whether the previous prescription was decided a moment ago. */
  hasJustAdvanced: () => boolean
}

/**
 * The decisions on the selected prescription. A decision that another pharmacist made first is
 * shown, and not overwritten.
 */
export function DecisionPanel({ review, onDecided, onUpdated, hasJustAdvanced }: DecisionPanelProps) {
  const { id, version, patient } = review
  const utils = trpc.useUtils()
  const decide = trpc.prescriptions.decide.useMutation()
  const ask = trpc.prescriptions.ask.useMutation()
  const [dialog, setDialog] = useState<'reject' | 'ask' | null>(null)
  const [fieldError, setFieldError] = useState<string | undefined>()
  const [stale, setStale] = useState<{ attempt: Attempt; current: Review } | null>(null)
  const isBusy = decide.isPending || ask.isPending

  const attempt = async (action: Attempt, reviewVersion = version): Promise<void> => {
    try {
      await action.send(reviewVersion)
    } catch (error) {
      const { current, fields, message } = toCallFailure<Review>(error)
      setFieldError(Object.values(fields)[0])
      if (current) {
        setDialog(null)
        setStale({ attempt: action, current })
      } else if (Object.keys(fields).length === 0)
        showToast({ kind: 'error', title: action.failureTitle, text: message })
    }
  }

  const submitDecision = (decision: Decision): Promise<void> =>
    attempt({
      failureTitle: 'Decision not saved',
      compare: (current) => [
        statusField(decision.status, current),
        { label: 'Reason', yours: decision.statusReason ?? '', current: current.statusReason ?? '' },
        ...questionFields(current, review),
      ],
      send: async (reviewVersion) => {
        await decide.mutateAsync({ id, version: reviewVersion, ...decision })
        showToast({
          kind: 'success',
          title: `${statusMessages[decision.status].label}: ${patient.name}`,
          text:
            decision.status === 'under_review'
              ? 'The prescription is back in the queue.'
              : 'We emailed the customer.',
        })
        onDecided(id, decision.status)
      },
    })

  const askCustomer = (question: string): Promise<void> =>
    attempt({
      failureTitle: 'Question not sent',
      compare: (current) => [
        statusField('under_review', current),
        { label: 'Question', yours: question, current: current.questions.at(-1)?.question ?? '' },
      ],
      send: async (reviewVersion) => {
        const updated = await ask.mutateAsync({ id, version: reviewVersion, question })
        setDialog(null)
        utils.prescriptions.get.setData({ id }, updated)
        onUpdated(id, { question: 'asked' })
        showToast({ kind: 'success', title: 'Question sent', text: 'We emailed the customer.' })
      },
    })

  const run = (action: ReviewAction): void => {
    if (isBusy || stale) return
    setFieldError(undefined)
    if (action === 'reject' || action === 'ask') setDialog(action)
    else void submitDecision({ status: statusAfter[action] })
  }
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  const { status, decidedStatus } = review
  const actions = useMemo(() => availableActions({ status, decidedStatus }), [status, decidedStatus])
  useShortcuts(
    useMemo(
      () =>
        actions.flatMap(({ action, label, key }) =>
          key
            ? [
                {
                  keys: key,
                  label,
                  run: (event: KeyboardEvent) => {
                    if (!event.repeat && !hasJustAdvanced()) latest.current(action)
                  },
                },
              ]
            : [],
        ),
      [actions, hasJustAdvanced],
    ),
  )
  return (
    <section
      aria-label="Decision"
      className="bottom-0 z-[5] mt-4 border-t border-line bg-base-100 py-3 print:hidden [@media(min-height:30rem)]:sticky"
    >
      {stale ? (
        <StaleNotice
          fields={stale.attempt.compare(stale.current).filter(({ yours, current }) => yours !== current)}
          onUseCurrent={() => {
            setStale(null)
            utils.prescriptions.get.setData({ id }, stale.current)
            onUpdated(id, { status: stale.current.status })
          }}
          onKeepEdit={() => {
            setStale(null)
            void attempt(stale.attempt, stale.current.version)
          }}
        />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {actions.map(({ action, label, key }) => {
          const { kind, Icon } = buttonStyles[action]
          return (
            <Button
              key={action}
              type="button"
              kind={kind}
              disabled={isBusy || stale !== null}
              onClick={() => run(action)}
            >
              <Icon /> {label} {key ? <Key>{key.toUpperCase()}</Key> : null}
            </Button>
          )
        })}
      </div>
      <RejectDialog
        open={dialog === 'reject'}
        patientName={patient.name}
        isBusy={isBusy}
        error={fieldError}
        onReject={(statusReason) => void submitDecision({ status: 'rejected', statusReason })}
        onClose={() => setDialog(null)}
      />
      <QuestionDialog
        open={dialog === 'ask'}
        patientName={patient.name}
        isBusy={isBusy}
        error={fieldError}
        onAsk={(question) => void askCustomer(question)}
        onClose={() => setDialog(null)}
      />
    </section>
  )
}

const statusAfter = { approve: 'approved', expire: 'expired', reopen: 'under_review' } as const

const buttonStyles = {
  approve: { kind: 'primary', Icon: CircleCheck },
  reject: { kind: 'secondary', Icon: CircleX },
  expire: { kind: 'secondary', Icon: CircleX },
  ask: { kind: 'quiet', Icon: MessageCircle },
  reopen: { kind: 'quiet', Icon: Undo2 },
} as const

const statusField = (status: PrescriptionStatus, current: Review): StaleField => ({
  label: 'Status',
  yours: statusMessages[status].label,
  current: statusMessages[current.status].label,
})

/** A question that was asked or answered after the review was opened. */
function questionFields(current: Review, { questions }: Review): StaleField[] {
  const last = current.questions.at(-1)
  if (!last || JSON.stringify(current.questions) === JSON.stringify(questions)) return []
  return [
    {
      label: 'Question',
      yours: '',
      current: last.answer ? `${last.question} – ${last.answer}` : last.question,
    },
  ]
}

import type { Review } from '#domain/prescriptions/prescription-review.ts'
import { statusWords, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { failureOf, trpc } from '../../../http/trpc.ts'
import { MessageCircle } from '../../../ui/admin-icons.tsx'
import { Button } from '../../../ui/Button.tsx'
import { StaleNotice, type StaleField } from '../../../ui/data-grid/StaleNotice.tsx'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { CircleCheck, CircleX, Undo2 } from '../../../ui/icons.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { actionsOn, type ReviewAction } from './available-actions.ts'
import { AskDialog } from './QuestionDialog.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { Key } from './ReviewFile.tsx'

type Decision = { status: PrescriptionStatus; statusReason?: string }
type Stale = { fields: StaleField[]; theirs: Review; again: (version: number) => Promise<void> }

type DecisionPanelProps = {
  review: Review
  onDecided: (id: string, to: PrescriptionStatus) => void
  /** Something else became of it, which the queue shows. */
  onNews: (id: string, news: { status?: PrescriptionStatus; question?: 'asked' }) => void
  /** Whether the one before was decided a moment ago. */
  hasJustMoved: () => boolean
}

/** What can be decided on the prescription in sight; what somebody else decided meanwhile is shown first, and not written over. */
export function DecisionPanel({ review, onDecided, onNews, hasJustMoved }: DecisionPanelProps) {
  const { id, version, patient } = review
  const utils = trpc.useUtils()
  const decide = trpc.prescriptions.decide.useMutation()
  const ask = trpc.prescriptions.ask.useMutation()
  const [dialog, setDialog] = useState<'reject' | 'ask' | null>(null)
  const [fieldError, setFieldError] = useState<string | undefined>()
  const [stale, setStale] = useState<Stale | null>(null)
  const isBusy = decide.isPending || ask.isPending

  const fail = (error: unknown, title: string, mine: StaleField[], again: Stale['again']): void => {
    const { current, fields, message } = failureOf(error)
    setFieldError(Object.values(fields)[0])
    if (current) {
      setDialog(null)
      setStale({ fields: mine, theirs: current as Review, again })
    } else if (Object.keys(fields).length === 0) showToast({ kind: 'error', title, text: message })
  }

  const settle = async (decision: Decision, at = version): Promise<void> => {
    try {
      await decide.mutateAsync({ id, version: at, ...decision })
      showToast({
        kind: 'success',
        title: `${statusWords[decision.status].label}: ${patient.name}`,
        text:
          decision.status === 'under_review' ? 'It is in the queue again.' : 'The customer is told by email.',
      })
      onDecided(id, decision.status)
    } catch (error) {
      const theirs = failureOf(error).current as Review | null
      const mine = [
        {
          name: 'Status',
          mine: statusWords[decision.status].label,
          theirs: theirs ? statusWords[theirs.status].label : '',
        },
        { name: 'Reason', mine: decision.statusReason ?? '', theirs: theirs?.statusReason ?? '' },
        ...questionsOf(theirs, review),
      ]
      fail(error, 'Nothing was decided', mine, (at) => settle(decision, at))
    }
  }

  const askCustomer = async (question: string, at = version): Promise<void> => {
    try {
      const asked = await ask.mutateAsync({ id, version: at, question })
      setDialog(null)
      utils.prescriptions.read.setData({ id }, asked)
      onNews(id, { question: 'asked' })
      showToast({ kind: 'success', title: 'Question sent', text: 'The customer is told by email.' })
    } catch (error) {
      const theirs = failureOf(error).current as Review | null
      const mine = [
        {
          name: 'Status',
          mine: statusWords.under_review.label,
          theirs: theirs ? statusWords[theirs.status].label : '',
        },
        { name: 'Question', mine: question, theirs: theirs?.questions.at(-1)?.question ?? '' },
      ]
      fail(error, 'Nothing was asked', mine, (at) => askCustomer(question, at))
    }
  }

  const run = (action: ReviewAction): void => {
    if (isBusy || stale) return
    setFieldError(undefined)
    if (action === 'reject' || action === 'ask') setDialog(action)
    else void settle({ status: decidedBy[action] })
  }
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  const { status, decidedStatus } = review
  const actions = useMemo(() => actionsOn({ status, decidedStatus }), [status, decidedStatus])
  useShortcuts(
    useMemo(
      () =>
        actions.flatMap(({ action, label, key }) =>
          key
            ? [
                {
                  keys: key,
                  does: label,
                  run: (event: KeyboardEvent) => {
                    if (!event.repeat && !hasJustMoved()) latest.current(action)
                  },
                },
              ]
            : [],
        ),
      [actions, hasJustMoved],
    ),
  )
  return (
    <section
      aria-label="Decision"
      className="bottom-0 z-[5] mt-4 border-t border-line bg-base-100 py-3 print:hidden [@media(min-height:30rem)]:sticky"
    >
      {stale ? (
        <StaleNotice
          fields={stale.fields.filter(({ mine, theirs }) => mine !== theirs)}
          onTake={() => {
            setStale(null)
            utils.prescriptions.read.setData({ id }, stale.theirs)
            onNews(id, { status: stale.theirs.status })
          }}
          onKeep={() => {
            setStale(null)
            void stale.again(stale.theirs.version)
          }}
        />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {actions.map(({ action, label, key }) => {
          const { kind, Icon } = looks[action]
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
        onReject={(statusReason) => void settle({ status: 'rejected', statusReason })}
        onClose={() => setDialog(null)}
      />
      <AskDialog
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

const decidedBy = { approve: 'approved', expire: 'expired', reopen: 'under_review' } as const

const looks = {
  approve: { kind: 'primary', Icon: CircleCheck },
  reject: { kind: 'secondary', Icon: CircleX },
  expire: { kind: 'secondary', Icon: CircleX },
  ask: { kind: 'quiet', Icon: MessageCircle },
  reopen: { kind: 'quiet', Icon: Undo2 },
} as const

/** A question that was asked or answered since. */
const questionsOf = (theirs: Review | null, { questions }: Review): StaleField[] => {
  const last = theirs?.questions.at(-1)
  if (!last || JSON.stringify(theirs?.questions) === JSON.stringify(questions)) return []
  return [
    { name: 'Question', mine: '', theirs: last.answer ? `${last.question} – ${last.answer}` : last.question },
  ]
}

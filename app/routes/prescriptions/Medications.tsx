import {
  isOver,
  type Medication,
  type MedicationState,
  type RefillChoice,
} from '#domain/dispensing/medication-view.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { RefreshCw } from '../../ui/icons.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import { Day, Fact } from './PrescriptionFacts.tsx'

/** What a refill can be filled with, when its last product is not available. */
export type RefillQuestion = { itemId: string; choices: RefillChoice[] }

/** The customer's medicines, with their refills. */
export const Medications = ({ medications }: { medications: readonly Medication[] }) => (
  <section aria-labelledby="medications">
    <h2 id="medications" className="text-lg">
      My medications
    </h2>
    <ul className="mt-3 grid gap-4 lg:grid-cols-2">
      {medications.map((medication) => (
        <li key={medication.id}>
          <MedicationCard medication={medication} />
        </li>
      ))}
    </ul>
  </section>
)

const badges = {
  ready: { tone: 'success', label: 'Ready to order' },
  'too early': { tone: 'neutral', label: 'Not yet' },
  'in progress': { tone: 'neutral', label: 'Order in progress' },
  'used up': { tone: 'warning', label: 'No refills left' },
  expired: { tone: 'neutral', label: 'Expired' },
  closed: { tone: 'neutral', label: 'Closed' },
} as const satisfies Record<MedicationState, { tone: string; label: string }>

function MedicationCard({ medication }: { medication: Medication }) {
  const { id, rxNumber, name, directions, prescriberName, perFill, daysSupply } = medication
  const { refills, refillsLeft, isNew, state, nextOn, validUntil, isEnding } = medication
  const { tone, label } = badges[state]
  return (
    <article aria-labelledby={`medication-${id}`} className="card flex h-full flex-col p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 id={`medication-${id}`} className="min-w-0 flex-[1_1_12rem] text-lg wrap-anywhere">
          {name}
        </h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-2 wrap-anywhere">{directions}</p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <Fact name="Refills left">
          {refillsLeft} of {refills}
        </Fact>
        {state === 'too early' && nextOn ? (
          <Fact name="Next refill">
            <Day iso={nextOn} />
          </Fact>
        ) : null}
        <Fact name="Valid until">
          <Day iso={validUntil} />
        </Fact>
        <Fact name="Each fill">
          {perFill}, {daysSupply} {daysSupply === 1 ? 'day' : 'days'}
        </Fact>
        <Fact name="Prescriber">{prescriberName}</Fact>
        {rxNumber ? <Fact name="Rx number">{rxNumber.replace('Rx ', '')}</Fact> : null}
      </dl>
      {isEnding ? <NewPrescription state={state} /> : null}
      <div className="mt-auto flex flex-wrap gap-3 pt-5">
        {state === 'ready' ? (
          <PostForm action={paths.prescriptions}>
            <input type="hidden" name="id" value={id} />
            <Button
              kind="primary"
              name="intent"
              value="refill"
              aria-label={`${isNew ? 'Order' : 'Refill'}: ${name}`}
            >
              <RefreshCw />
              {isNew ? 'Order' : 'Refill'}
            </Button>
          </PostForm>
        ) : null}
        {isEnding ? (
          <>
            <LinkButton to={paths.uploadPrescription}>Upload a new prescription</LinkButton>
            <LinkButton kind="quiet" to={paths.refillRequest(id)} aria-label={`Print a request for ${name}`}>
              Print a request
            </LinkButton>
          </>
        ) : null}
      </div>
    </article>
  )
}

const NewPrescription = ({ state }: { state: MedicationState }) => (
  <p className="mt-3 rounded-field border-s-4 border-line bg-base-200 px-3 py-2">
    {isOver(state) ? '' : 'This prescription is running out. '}Ask your doctor for a new one.
  </p>
)

/** Equal products to choose from, because the last one is not available. */
export const ChooseRefill = ({
  question: { itemId, choices },
  medications,
}: {
  question: RefillQuestion
  medications: readonly Medication[]
}) => (
  <section aria-labelledby="choose-refill" className="card p-5">
    <h2 id="choose-refill" className="text-lg">
      Choose another product
    </h2>
    <p className="mt-2">
      The product you last received for {medications.find(({ id }) => id === itemId)?.name ?? 'this medicine'}{' '}
      isn’t available. These have the same active ingredients, strength and form.
    </p>
    <ul className="mt-3 divide-y divide-line">
      {choices.map(({ variantId, name, quantity, total }) => (
        <li key={variantId} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
          <span className="min-w-0 wrap-anywhere">
            {quantity} × {name}
          </span>
          <PostForm
            action={paths.prescriptions}
            className="flex items-center gap-3 max-sm:w-full max-sm:justify-between"
          >
            <span className="font-semibold tabular-nums">{dollars(total)}</span>
            <input type="hidden" name="id" value={itemId} />
            <input type="hidden" name="variantId" value={variantId} />
            <Button name="intent" value="refill" aria-label={`Refill with ${name}`}>
              Choose
            </Button>
          </PostForm>
        </li>
      ))}
    </ul>
  </section>
)

import { genderLabels } from '#domain/accounts/profile-fields.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import type { CaseFill } from '#domain/dispensing/case-prescription.ts'
import type { Destination } from '#domain/dispensing/destination.ts'
import type { CasePatient, ReviewCase } from '#domain/dispensing/review-case.ts'
import { medicineText } from '#domain/dispensing/medicine-text.ts'
import { formatQuantity } from '#domain/dispensing/quantity.ts'
import { allergyFacts, listFacts, pregnancyFacts } from '../../../components/dispensing/record-facts.tsx'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { Link } from '../../../render/Link.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { Fact, Facts } from './Facts.tsx'

/** Who takes the medicines, what they took before, and where the order goes. */
export function PatientPanel({ reviewCase }: { reviewCase: ReviewCase }) {
  const { patients, history, destination, order } = reviewCase
  return (
    <div className="grid gap-4">
      {patients.map((patient) => (
        <PatientFacts key={patient.patientId} patient={patient} />
      ))}
      {destination && order ? <DestinationFacts destination={destination} shipTo={order.shipTo} /> : null}
      {reviewCase.orders.length > 0 ? (
        <section aria-labelledby="case-orders">
          <h3 id="case-orders" className="mb-1 font-semibold">
            Orders that use this prescription
          </h3>
          <ul className="grid gap-1">
            {reviewCase.orders.map(({ id, status, createdAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-2">
                <Link to={adminPaths.order(id)} className="text-link font-mono">
                  {orderRef(id)}
                </Link>
                <OrderStatusBadge status={status} />
                <span className="text-muted">{formatDay(createdAt)}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <section aria-labelledby="case-history">
        <h3 id="case-history" className="mb-1 font-semibold">
          Fills
        </h3>
        {history.length === 0 ? (
          <p className="text-muted">None yet.</p>
        ) : (
          <ol className="grid gap-2">
            {history.map((fill) => (
              <FillFacts key={fill.id} fill={fill} />
            ))}
          </ol>
        )}
      </section>
    </div>
  )
}

function PatientFacts({ patient }: { patient: CasePatient }) {
  const { gender, dateOfBirth, age, weightPounds, weightKilograms, weightOn, record } = patient
  return (
    <Facts title="Patient">
      <Fact name="Name">
        <Link to={adminPaths.user(patient.id)} className="text-link">
          {patient.name}
        </Link>
        {patient.isDependant ? ', in the customer’s care' : ''}
      </Fact>
      <Fact name="Born">{dateOfBirth ? `${formatDay(dateOfBirth)} (${age} years)` : null}</Fact>
      <Fact name="Gender">
        {gender && Object.hasOwn(genderLabels, gender)
          ? genderLabels[gender as keyof typeof genderLabels]
          : null}
      </Fact>
      <Fact name="Weight">
        {weightPounds === null
          ? null
          : `${weightPounds} lb (${weightKilograms} kg), ${weightOn === null ? 'date unknown' : formatDay(weightOn)}`}
      </Fact>
      <Fact name="Allergies">{allergyFacts(record)}</Fact>
      <Fact name="Medications">{listFacts(record.medications)}</Fact>
      {pregnancyFacts(record).map(({ name, text }) => (
        <Fact key={name} name={name}>
          {text}
        </Fact>
      ))}
      <Fact name="Allergies, in the customer’s words">{patient.allergies}</Fact>
      <Fact name="Medications, in the customer’s words">{patient.currentMedications}</Fact>
      <Fact name="Phone">{patient.phone}</Fact>
    </Facts>
  )
}

function DestinationFacts({ destination, shipTo }: { destination: Destination; shipTo: string }) {
  const { rules, isServed, isDomestic, pharmacies } = destination
  return (
    <section aria-labelledby="case-destination">
      <h3 id="case-destination" className="mb-1 font-semibold">
        Destination
      </h3>
      <p className="wrap-anywhere">{shipTo}</p>
      {isServed ? null : (
        <p className="font-medium text-error">
          {pharmacies.length === 0
            ? 'No pharmacy ships there.'
            : `Not in the ships-to list of ${pharmacies.join(', ')}.`}{' '}
          Clearing needs your decision.
        </p>
      )}
      {isDomestic ? (
        <p className="text-muted">Ships within the pharmacy’s country, so no import rule applies.</p>
      ) : rules.length === 0 ? (
        <p className="text-muted">
          Our list has no import rule for this country. That doesn’t mean that there is none.
        </p>
      ) : (
        <Disclosure summary={`${rules.length} import ${rules.length === 1 ? 'rule' : 'rules'}`} open>
          <ul className="grid gap-2">
            {rules.map((rule) => (
              <li key={rule.id} className="card p-2">
                <p className="text-muted">
                  {rule.appliesTo}: {rule.situation}
                </p>
                <p>
                  {rule.rule}
                  {rule.limit ? `: ${rule.limit}` : ''}
                </p>
                <p className="text-sm text-muted">
                  {rule.authority}. {rule.source}
                  {rule.sourceDate ? `, ${rule.sourceDate}` : ''} ({rule.howRead})
                </p>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </section>
  )
}

const fillLabels = {
  reserved: 'Reserved',
  cleared: 'Cleared, not shipped',
  dispensed: 'Dispensed',
  released: 'Released',
} as const satisfies Record<CaseFill['status'], string>

const FillFacts = ({ fill }: { fill: CaseFill }) => (
  <li className="border-b border-line pb-2 last:border-0">
    <p className="font-medium wrap-anywhere">{medicineText(fill.medicine)}</p>
    <p>
      {formatQuantity(fill.units, fill.medicine)}, {fill.daysSupply} days
    </p>
    <p className="text-muted">
      {fillLabels[fill.status]}, {formatDay(fill.dispensedAt ?? fill.createdAt)} · {fill.rxNumber}
      {fill.dependantName ? ` · for ${fill.dependantName}` : ''}
      {fill.pharmacist ? ` · ${fill.pharmacist}` : ''}
      {fill.orderId ? (
        <>
          {' · '}
          <Link to={adminPaths.order(fill.orderId)} className="text-link font-mono">
            {orderRef(fill.orderId)}
          </Link>
        </>
      ) : null}
    </p>
  </li>
)

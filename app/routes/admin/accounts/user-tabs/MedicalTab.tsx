import { allergyFacts, listFacts, pregnancyFacts } from '../../../../components/dispensing/record-facts.tsx'
import { formatDay } from '../../../../components/orders/order-labels.ts'
import { Facts } from '../Facts.tsx'
import { genderLabel } from '../user-labels.ts'
import { Card } from './Card.tsx'
import type { TabDataOf } from './tab-data.ts'

/** The records of the user and of the people in their care. */
export const MedicalTab = ({ data: { patients } }: { data: TabDataOf<'medical'> }) => (
  <div className="grid gap-4">
    {patients.map((patient) => (
      <Card key={patient.id} title={patient.isSelf ? 'Medical' : `In their care: ${patient.name}`}>
        <Facts
          facts={[
            ['Date of birth', patient.dateOfBirth && formatDay(patient.dateOfBirth)],
            ['Gender', genderLabel(patient.gender)],
            ['Weight', patient.weight === null ? null : `${patient.weight} lb`],
            ...pregnancyFacts(patient.view).map(({ name, text }) => [name, text] as const),
            ['Allergy list', allergyFacts(patient.view)],
            ['Medication list', listFacts(patient.view.medications)],
            ['Allergies', patient.allergies],
            ['Current medications', patient.currentMedications],
          ]}
        />
      </Card>
    ))}
  </div>
)

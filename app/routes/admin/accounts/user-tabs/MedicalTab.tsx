import { formatDay } from '../../../../components/orders/order-labels.ts'
import { Facts } from '../Facts.tsx'
import { genderLabel } from '../user-labels.ts'
import { Card } from './Card.tsx'
import type { TabDataOf } from './tab-data.ts'

export const MedicalTab = ({ data }: { data: TabDataOf<'medical'> }) => (
  <Card title="Medical">
    <Facts
      facts={[
        ['Date of birth', data.dateOfBirth && formatDay(data.dateOfBirth)],
        ['Gender', genderLabel(data.gender)],
        ['Weight', data.weight === null ? null : `${data.weight} lb`],
        ['Allergies', data.allergies],
        ['Current medications', data.currentMedications],
      ]}
    />
  </Card>
)

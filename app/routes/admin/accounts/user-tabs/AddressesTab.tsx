import { Badge } from '../../../../ui/Badge.tsx'
import { Facts } from '../Facts.tsx'
import { Card } from './Card.tsx'
import type { TabDataOf } from './tab-data.ts'

export const AddressesTab = ({ data: { shipping, billing, saved } }: { data: TabDataOf<'addresses'> }) => (
  <div className="grid gap-4">
    <Card title="Profile addresses">
      <Facts
        facts={[
          ['Shipping address', shipping],
          ['Billing address', billing],
        ]}
      />
    </Card>
    <Card title="Saved addresses">
      {saved.length === 0 ? (
        <p className="text-muted">No saved addresses yet. Addresses are saved from paid orders.</p>
      ) : (
        <ul className="divide-y divide-line">
          {saved.map(({ id, text, isDefault }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <span className="wrap-anywhere">{text}</span>
              {isDefault ? <Badge tone="primary">Default</Badge> : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  </div>
)

import type { SettingChange } from '#server/settings/list-setting-changes.ts'
import { DateTime } from '../frame/DateTime.tsx'

/** Who turned which rules down or up, and when. Newest first. */
export const RuleHistory = ({ changes }: { changes: readonly SettingChange[] }) => (
  <section aria-labelledby="rule-history">
    <h2 id="rule-history" className="mb-3">
      History
    </h2>
    {changes.length === 0 ? (
      <p className="card p-4 text-muted">No rule has been downgraded yet.</p>
    ) : (
      <div className="data-grid">
        <table aria-label="Rule history">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Downgraded</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ id, at, change, by }) => (
              <tr key={id}>
                <td className="whitespace-nowrap">
                  <DateTime at={at} />
                </td>
                <td className="min-w-44">{change}</td>
                <td className="min-w-28">{by}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
)

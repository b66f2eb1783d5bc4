import { permissionsOf, permissionTable, roleLabels, roles } from '#domain/accounts/permissions.ts'

/** What each role may do. */
export const RoleTable = () => (
  <section aria-labelledby="roles" className="mt-8">
    <h2 id="roles" className="mb-3">
      Roles
    </h2>
    <div className="card grid divide-y divide-line">
      {roles.map((role) => (
        <details key={role} className="px-4">
          <summary className="min-h-11 cursor-pointer content-center font-semibold">
            {roleLabels[role]}
          </summary>
          <ul className="list-disc ps-5 pb-3">
            {permissionsOf([role]).map((name) => (
              <li key={name}>{permissionTable[name].label}</li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  </section>
)

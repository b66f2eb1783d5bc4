import { permissionsOf, permissionTable, roleLabels, roles } from '#domain/accounts/permissions.ts'

/** What each role may do. */
export const RoleTable = () => (
  <details className="card mt-4">
    <summary className="min-h-11 cursor-pointer content-center px-4 font-semibold">Roles</summary>
    <div className="grid gap-4 px-4 pb-4 md:grid-cols-2 lg:grid-cols-3">
      {roles.map((role) => (
        <section key={role} aria-labelledby={`role-${role}`}>
          <h3 id={`role-${role}`} className="mb-1 font-semibold">
            {roleLabels[role]}
          </h3>
          <ul className="list-disc ps-5">
            {permissionsOf([role]).map((name) => (
              <li key={name}>{permissionTable[name].label}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </details>
)

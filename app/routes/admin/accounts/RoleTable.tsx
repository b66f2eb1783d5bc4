import { permissionsOf, permissionTable, roleLabels, roles } from '#domain/accounts/permissions.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'

/** What each role may do. */
export const RoleTable = () => (
  <Disclosure summary="Roles" className="card mt-4 px-4">
    <div className="grid gap-4 pb-4 md:grid-cols-2 lg:grid-cols-3">
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
  </Disclosure>
)

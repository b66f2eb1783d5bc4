import { groupBy } from '#domain/group-by.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { listCalls, type Call } from '../../api/openapi/list-calls.server.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/calls'
import { ApiTabs } from './ApiTabs.tsx'

export const loader = adminLoader('settings.write', async (ctx) => ({ calls: listCalls(ctx) }))

/** The documented calls, for programmers. */
export default function Calls({ loaderData }: Route.ComponentProps) {
  return (
    <AdminPage title="API">
      <ApiTabs current={adminPaths.api} />
      <p className="mb-4 max-w-3xl">
        Programs read and change the shop through these calls. Generate a client from{' '}
        <a className="link" href={adminPaths.apiDocument}>
          the OpenAPI document
        </a>
        . An error is one plain sentence in plain text.
      </p>
      <div className="space-y-8">
        {[...groupBy(loaderData.calls, ({ area }) => area)].map(([area, calls]) => (
          <section key={area}>
            <h2 className="mb-2 font-semibold">{area}</h2>
            <ul className="max-w-3xl divide-y divide-line border-y border-line">
              {calls.map((call) => (
                <li key={`${call.method} ${call.path}`}>
                  <CallDetails call={call} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </AdminPage>
  )
}

const CallDetails = ({
  call: { method, path, summary, access, parameters, fields, reply },
}: {
  call: Call
}) => (
  <Disclosure
    summary={
      <span className="flex flex-wrap items-baseline gap-x-3 py-2">
        <code className="break-all">
          {method} {path}
        </code>
        <span className="font-normal">{summary}</span>
      </span>
    }
  >
    <div className="space-y-3 pb-4">
      <p className="text-muted">{access}</p>
      <Fields name="Parameters" fields={parameters} />
      <Fields name="Body" fields={fields} />
      {reply ? (
        <p>
          <span className="font-medium">Returns</span> {reply}
        </p>
      ) : null}
    </div>
  </Disclosure>
)

const Fields = ({ name, fields }: { name: string; fields: Call['fields'] }) =>
  fields.length === 0 ? null : (
    <div>
      <h3 className="font-medium">{name}</h3>
      <ul>
        {fields.map((field) => (
          <li key={field.name}>
            <code>{field.name}</code> <span className="text-muted">{field.type}</span>
            {field.isRequired ? ', required' : null}
            {field.note ? `. ${field.note}` : null}
          </li>
        ))}
      </ul>
    </div>
  )

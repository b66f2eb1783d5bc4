import { Alert } from '../../../ui/Alert.tsx'

/** What is missing before the medicine may leave. The print says "draft" until nothing is. */
export const LabelGaps = ({ gaps }: { gaps: readonly string[] }) =>
  gaps.length === 0 ? null : (
    <div className="mb-4 print:hidden">
      <Alert kind="warning" title="This label is a draft">
        <ul className="list-disc ps-5">
          {gaps.map((gap) => (
            <li key={gap}>{gap}</li>
          ))}
        </ul>
      </Alert>
    </div>
  )

import { recordBounds } from '#domain/screening/recorded-recall.ts'
import type { FoundPackages, PackageChoice } from '#server/recalls/find-recall-packages.ts'
import { TextAreaField } from '../../../ui/Field.tsx'
import { units } from '../inventory/units.ts'

type PackageChoicesProps = {
  found: FoundPackages | null
  typed: string | undefined
  error: string | undefined
}

/** Finds the packages that a recall names, and chooses which of them it covers. */
export function PackageChoices({ found, typed, error }: PackageChoicesProps) {
  const { choices = [], carried = [] } = found ?? {}
  return (
    <>
      <TextAreaField
        id="products"
        name="products"
        label="NDC, DIN, UPC or name"
        hint={
          carried.length === 0
            ? `One per line, up to ${recordBounds.lines}. The preview lists the packages found.`
            : 'The packages that were recorded are below. Enter a line only for another package.'
        }
        rows={4}
        maxLength={recordBounds.products}
        spellCheck={false}
        defaultValue={typed}
        error={error}
        required={carried.length === 0}
      />
      {carried.length === 0 ? null : <input type="hidden" name="carried" value={carried.join(' ')} />}
      {choices.length === 0 ? null : (
        <fieldset className="mt-3">
          <legend className="mb-1 font-medium">Recalled packages</legend>
          <input type="hidden" name="shown" value={choices.map(({ id }) => id).join(' ')} />
          {choices.map((choice) => (
            <Choice key={choice.id} choice={choice} />
          ))}
        </fieldset>
      )}
    </>
  )
}

const Choice = ({
  choice: { id, name, details, stockQuantity, isTracked, isChosen },
}: {
  choice: PackageChoice
}) => (
  <label className="flex min-h-9 items-start gap-2 py-1">
    <input
      type="checkbox"
      name="variantIds"
      value={id}
      className="grid-check mt-0.5"
      defaultChecked={isChosen}
    />
    <span className="min-w-0 wrap-anywhere">
      {name}
      <span className="block text-muted">
        {[...details, isTracked ? `${units(stockQuantity)} in stock` : 'Stock isn’t tracked'].join(' · ')}
      </span>
    </span>
  </label>
)

import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { MedicineOption } from '#domain/dispensing/case-prescription.ts'
import { formText, medicineText } from '#domain/dispensing/medicine-text.ts'
import { useId } from 'react'
import { trpc } from '../../../http/trpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { Combobox } from '../../../ui/Combobox.tsx'
import { showInTopLayer } from '../../../ui/top-layer.ts'

type MedicineFieldProps = {
  /** The names of the form's fields: of the text, the chosen variant, and the text looked up. */
  name: string
  idName: string
  listedName: string
  typed: string
  variantId: string
  /** Without scripts: the medicines that match `typed`; null before they were looked up. */
  options: readonly MedicineOption[] | null
  error: string | undefined
  onPick: (option: MedicineOption) => void
  /** The typed text is no chosen medicine any more. */
  onTyped: () => void
}

/**
 * Finds a prescription medicine as the pharmacist types. To keep look-alike names distinct, each
 * option shows its ingredient beside the brand, its strength apart, and nothing truncated.
 */
export function MedicineField(props: MedicineFieldProps) {
  const { name, idName, listedName, typed, variantId, options, error, onPick, onTyped } = props
  const id = useId()
  const utils = trpc.useUtils()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        Medicine
      </label>
      <Combobox
        id={id}
        name={name}
        listLabel="Medicines"
        onOpen={showInTopLayer}
        maxLength={200}
        defaultValue={typed}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        load={async (text) => {
          const found = await utils.cases.medicines.fetch({ text })
          return found.map((option) => ({
            key: option.variantId,
            label: medicineText(option.medicine),
            option,
          }))
        }}
        renderOption={({ option }) => <MedicineChoice option={option} />}
        onPick={({ option, label }) => {
          onPick(option)
          return label
        }}
        onTyped={onTyped}
      />
      <input type="hidden" name={listedName} value={options ? typed : ''} />
      {options ? (
        <OptionList name={idName} options={options} variantId={variantId} />
      ) : (
        <input type="hidden" name={idName} value={variantId} />
      )}
      <Button name="edit" value="find" className="mt-2 hidden noscript:inline-flex">
        Find this medicine
      </Button>
      {error ? (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-error">
          {error}
        </p>
      ) : null}
    </div>
  )
}

/** The choice without scripts. What cannot be transcribed says why and cannot be chosen. */
const OptionList = ({
  name,
  options,
  variantId,
}: {
  name: string
  options: readonly MedicineOption[]
  variantId: string
}) =>
  options.length === 0 ? (
    <p className="mt-1 text-muted">Nothing matches. Check the spelling, or type the ingredient.</p>
  ) : (
    <fieldset className="card mt-2 grid gap-2 p-2">
      <legend className="sr-only">Medicines</legend>
      {options.map((option) => (
        <label key={option.variantId} className="flex items-center gap-2">
          <input
            type="radio"
            name={name}
            className="size-5 flex-none accent-primary"
            value={option.variantId}
            defaultChecked={option.variantId === variantId}
            disabled={option.problem !== null}
          />
          <MedicineChoice option={option} />
        </label>
      ))}
    </fieldset>
  )

const MedicineChoice = ({ option }: { option: MedicineOption }) => {
  const { medicine, manufacturer, problem } = option
  return (
    <span className="grid w-full gap-x-3 wrap-anywhere">
      <MedicineName medicine={medicine} />
      <span className="text-sm opacity-90">
        {[formText(medicine), medicine.route, option.package, manufacturer].filter(Boolean).join(' · ')}
      </span>
      {problem ? <span className="font-medium">{problem}</span> : null}
    </span>
  )
}

/** The ingredient beside the brand, and the strength on its own. */
export const MedicineName = ({ medicine }: { medicine: Medicine }) => (
  <span className="flex flex-wrap items-baseline gap-x-3">
    <b>{medicine.substances}</b>
    {medicine.brandName ? <span>{medicine.brandName}</span> : null}
    <b className="ms-auto tabular-nums">{medicine.strength}</b>
  </span>
)

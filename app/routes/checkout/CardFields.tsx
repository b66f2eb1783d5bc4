import { Disclosure } from '../../ui/Disclosure.tsx'
import { Field } from '../../ui/Field.tsx'

type CardFieldsProps = {
  values: Readonly<Record<string, string>> | null
  errors: Readonly<Record<string, string>>
}

/** The demo cards and their results (contract, "Demo payments"). */
const demoCards = [
  ['4242 4242 4242 4242', 'succeeds'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0025 0000 3155', 'requires verification'],
] as const

/** The demo's card fields. The server never sends the number and the CVC back. */
export const CardFields = ({ values, errors }: CardFieldsProps) => (
  <>
    <div className="rounded-field bg-base-200 px-3 sm:px-4">
      <Disclosure summary={<span className="max-sm:text-sm">This is a demo. You won’t be charged.</span>}>
        <p className="pb-1">Pay with one of these cards, any future date and any CVC:</p>
        <ul className="space-y-1 pb-3">
          {demoCards.map(([number, outcome]) => (
            <li key={number}>
              <span className="font-mono text-sm whitespace-nowrap">{number}</span> {outcome}
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
    <div className="mt-5 grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-4 sm:gap-x-5">
      <Field
        id="cardNumber"
        name="cardNumber"
        label="Card number"
        className="col-span-2"
        inputMode="numeric"
        autoComplete="cc-number"
        spellCheck={false}
        maxLength={25}
        required
        error={errors['cardNumber']}
      />
      <Field
        id="expiry"
        name="expiry"
        label="Expiry (MM/YY)"
        inputMode="numeric"
        autoComplete="cc-exp"
        maxLength={9}
        required
        defaultValue={values?.['expiry']}
        error={errors['expiry']}
      />
      <Field
        id="cardCvc"
        name="cardCvc"
        label="CVC"
        inputMode="numeric"
        autoComplete="cc-csc"
        maxLength={4}
        required
        error={errors['cardCvc']}
      />
    </div>
  </>
)

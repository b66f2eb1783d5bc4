import { Disclosure } from '../../ui/Disclosure.tsx'
import { Field } from '../../ui/Field.tsx'

type CardFieldsProps = {
  /** The cards to pay with. */
  testCards: { __html: string }
  values: Readonly<Record<string, string>> | null
  errors: Readonly<Record<string, string>>
}

/** The demo's card fields. The server never sends the number and the CVC back. */
export const CardFields = ({ testCards, values, errors }: CardFieldsProps) => (
  <>
    <div className="rounded-field bg-base-200 px-3 sm:px-4">
      <Disclosure summary={<span className="max-sm:text-sm">This is a demo. You won’t be charged.</span>}>
        <div dangerouslySetInnerHTML={testCards} />
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

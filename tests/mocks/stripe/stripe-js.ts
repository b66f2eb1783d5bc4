/**
 * Stands in for https://js.stripe.com, which no test reaches: the part of Stripe.js that the page of checkout uses, in its documented shape
 * (https://docs.stripe.com/js). Its one field takes a number; what that pays the test decides, by the function that it gives to the page as
 * `confirmAtStripe`. What only the real script could show, its looks and its banks' second steps, stays unproven.
 */
export const stripeJs = `
window.Stripe = Object.assign(
  () => {
    const handlers = {}
    const field = document.createElement('input')
    field.setAttribute('aria-label', 'Card number at Stripe')
    const element = {
      on: (name, handle) => ((handlers[name] = handle), element),
      off: () => element,
      mount: (place) => {
        place.append(field)
        setTimeout(() => handlers.ready?.({ elementType: 'payment' }))
      },
      update() {},
      unmount() {},
      destroy() {},
    }
    const elements = {
      create: () => element,
      getElement: () => element,
      update() {},
      submit: async () =>
        field.value === '' ? { error: { type: 'validation_error', message: 'Your card number is incomplete.' } } : {},
    }
    const unused = () => { throw new Error('not simulated') }
    return {
      elements: (options) => ((window.stripeOptions = options), elements),
      confirmPayment: ({ clientSecret }) => window.confirmAtStripe(clientSecret, field.value),
      createToken: unused,
      createPaymentMethod: unused,
      confirmCardPayment: unused,
      _registerWrapper() {},
      registerAppInfo() {},
    }
  },
  { version: 'endive' },
)
`

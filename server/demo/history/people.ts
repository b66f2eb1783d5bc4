/** The customers of the demo's past. Names and streets are made up; `example` is no real domain. */

const names = `
  Ada Lindqvist, Marcus Bell, Priya Raman, Hannah Osei, Diego Salazar, Mei Chen, Oliver Grant, Fatima Khoury,
  Sean Gallagher, Aisha Mohammed, Clara Jensen, Nathan Brooks, Yuki Tanaka, Isabel Moreno, Paul Tremblay,
  Leila Haddad, Connor Walsh, Grace Adeyemi, Victor Petrov, Emma Larsen, Raj Malhotra, Sophie Gagnon,
  Andre Williams, Linh Tran, Rebecca Stein, Omar Farouk, Julia Novak, Kevin Park, Amina Diallo, Thomas Reed,
  Camille Roy, Jamal Carter, Ingrid Solberg, Mateus Costa, Ruth Feldman, Anita Desai, Peter Kowalski,
  Naomi Clarke, Luis Ortega, Zoe Papadakis, Daniel Kim, Maya Thompson, Henrik Dahl, Carmen Vega, Alice Murray,
  Tariq Aziz, Bianca Rossi, Samuel Okoro, Lucy Whitaker, Gabriel Leduc, Nina Ivanova, Jack Morrison,
  Sara Bergman, Hassan Ali, Elise Fontaine, Brian Novotny, Keiko Mori, Rosa Delgado, Martin Hughes, Dana Levy`

/** A city, its state or province, a postal code and its country. */
const places = [
  ['Portland', 'ME', '04101', 'United States'],
  ['Burlington', 'VT', '05401', 'United States'],
  ['Boston', 'MA', '02116', 'United States'],
  ['Rochester', 'NY', '14604', 'United States'],
  ['Columbus', 'OH', '43215', 'United States'],
  ['Madison', 'WI', '53703', 'United States'],
  ['Austin', 'TX', '78701', 'United States'],
  ['Denver', 'CO', '80202', 'United States'],
  ['Seattle', 'WA', '98101', 'United States'],
  ['Savannah', 'GA', '31401', 'United States'],
  ['Ottawa', 'ON', 'K2P 1X4', 'Canada'],
  ['Halifax', 'NS', 'B3H 4R2', 'Canada'],
  ['Montreal', 'QC', 'H2Y 1C6', 'Canada'],
  ['Calgary', 'AB', 'T2P 2M5', 'Canada'],
] as const

const streets = [
  'Harbor Lane',
  'Maple Street',
  'Orchard Road',
  'Mill Street',
  'Elm Avenue',
  'Station Road',
] as const

export type Person = {
  email: string
  firstName: string
  lastName: string
  shipTo: { streetAddress: string; city: string; stateProvince: string; zipCode: string; country: string }
}

/** Always the same people in the same order. */
export const people: readonly Person[] = names.split(',').map((name, at) => {
  const [firstName = '', lastName = ''] = name.trim().split(' ')
  const [city, stateProvince, zipCode, country] = places[(at * 5) % places.length] ?? places[0]
  return {
    email: `${firstName}.${lastName}@customer.example`.toLowerCase(),
    firstName,
    lastName,
    shipTo: {
      streetAddress: `${12 + at * 7} ${streets[at % streets.length]}`,
      city,
      stateProvince,
      zipCode,
      country,
    },
  }
})

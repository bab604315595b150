import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf } from "./generated";

// What libraries and build tools make up: React, Radix, Headless UI, MUI, Emotion,
// styled-components, modules of CSS, Angular Material, Vue, Vuetify, PrimeVue, antd,
// Mantine, Chakra, Fluent, React Aria, Ember, Ext, Choices.js, select2, JSF, GWT,
// Vaadin, Ionic, Svelte, editors, and large sites.
const generated = `
:r1: :R1ab: «r1» _r_1_ radix-:r1: radix-_r_3_ headlessui-menu-button-:r3: headlessui-listbox-button-3 react-select-2-input react-select-3-option-1 downshift-0-label menu-v-1
downshift-:r0:-menu mui-1 mui-p-12345-P-0 :r5:-label sc-bdvvtL sc-1abc23d-0 hIkgGf bJvXqn css-1q2w3e4 css-0 css-1abc-MuiButton-root Button_button__3xK2p
styles_container__a1B2c _button_1abcd_12 button-module--primary--x8Fe2 Home_main__nLjiQ Page_title__VkyCr mat-input-0 mat-mdc-checkbox-1-input mat-select-value-1
mat-option-3 cdk-overlay-0 cdk-describedby-message-ng-1-3 mat-tab-label-0-1 mat-radio-2-input mat-mdc-dialog-0 mat-mdc-form-field-label-0 ng-tns-c123-4
mat-button-toggle-1-button mat-expansion-panel-header-0 mat-mdc-chip-0 mat-autocomplete-0 mat-datepicker-0 mat-menu-panel-1 mat-hint-2 mat-slide-toggle-1
mat-mdc-slide-toggle-2-button mat-tab-group-0-label-1 mat-tab-nav-panel-0 cdk-drop-list-0 cdk-accordion-child-0 cdk-step-label-0-1 mat-calendar-0 v-0-1 v-0 v-0-0-1
input-v-3 v-menu-7 pv_id_3 pv_id_3_list pn_id_3_label pr_id_3 pv_id_1_2_list rc_select_0 rc_select_0_list rc-tabs-0-tab-1 rc-menu-uuid-12345-1 :r0:-panel _r_3_-panel
css-var-r1 css-dev-only-do-not-override-1abc2 mantine-abc123xyz mantine-r1-target mantine-gn3zql2aa-target m_77c9d27d field-:r1: menu-button-:r2: accordion-button-:r1:
tabs-:r1:--tab-0 popover-trigger-:r1: menu:r1:trigger tabs::r1::trigger-x fluent-listbox12 field-r1__control r1alrhcs ___1abcdef_0000000 f1abcde2 id__12 react-aria-:r1:
react-aria1234567890-:r1: react-aria-12 react-aria9037284511-3 ember123 ext-gen1001 ext-comp-1001 button-1012 textfield-1023-inputEl choices--iz3o-item-choice-2
choices--qkwz-item-choice-2 choices--city-x9-item-choice-2 tooltip123456 popover654321 select2-city-result-x1b2-CA select2-data-12-ab3c tomselect-1-opt-2 ui-id-3
dp1634567890123 j_idt12:form j_idt12 form:j_idt30 gwt-uid-12 input-vaadin-text-field-6 label-vaadin-text-field-0 vaadin-select-item-2 ion-input-0 ion-sel-0-lbl ion-r-0
148:0 123:45;a s2id_autogen1 xX3kf9aB_2 bits-12 bits-c3 cl-3-input tippy-12 floating-ui-3 cke_12 mce_12 tiny-react_12345678901 mceu_12 comp-kd5pxb9d yui_3_17_2_1_1634
e1f2a3b4c5d6 APjFqb jZ2SBf 550e8400-e29b-41d4-a716-446655440000 f_4d2a1c7e-9b2c-4d2a-8c1e-0a1b2c3d4e5f row-8f7e6d5c xjqkwzp kqzvbt qwxzpl svelte-1abc2de jss12
makeStyles-root-12 emotion-4 chakra-modal--body-:r3: x1lliihq x78zum5 xdt5ytf svelte-a8fk2z astro-J7PV25F6 p-abcd1234 el-id-1024-3 el-id-5523-1 tablist-tab-3f9a
headlessui-popover-panel-«r7» base-ui-:r3: base-ui-_r_3_ ariakit-12 reach-12 uid-4 __lid__3 swiper-wrapper-a1b2c3d4e5f6 downshift-7-item-0 i0118xk zx9qk2 kb3xv9 AbC1dE2
k3fj2k1l VfPpkd tYgPq wHxTr zZhHs`;

// What people write, in several languages, and what libraries always write alike.
const stable = `
login user-name h1 col-2 md5 utf8 address2 q btnK oauth2 step1 section3 sha256 base64 ipv4 html5 e2e i18n a11y k8s x509 s3-bucket b2b h264 mp3 web3 iPhone15 HTMLElement
JSONView APIKey userID fooBARbaz IBAN rhythm ssn cvv vpn https html dns submitBtn pwd ddlCountry txtFName btnSubmit kbd tbl-rows lblName strengths backgroundColor
worldwidth firstName first_name last-name email password confirmPassword search-input q searchBox main-nav navbar-toggler btn-primary card-header modal-body todo-list
new-todo toggle-all clear-completed signin sign-up checkout cart-count add-to-cart product-title price qty zipcode country phone dob gender newsletter submit reset cancel
save delete edit open close menu sidebar footer header content wrapper container row grid list item table thead avatar profile settings logout dashboard notifications
messages inbox compose upload download file dropzone preview thumb gallery slider carousel tabs panel accordion tooltip popover dialog drawer toast alert badge chip
spinner loader progress stepper pagination breadcrumb tree calendar datepicker timepicker colorpicker editor toolbar canvas chart map video audio player volume mute
fullscreen MuiButton-root ant-btn el-button v-btn q-btn p-button chakra-button mantine-Button-root rt-Button ag-row ag-cell tabulator-row mat-mdc-button mdc-button__label
cdk-overlay-pane ql-editor ck-content tox-edit-area cm-content monaco-editor leaflet-control-zoom-in mapboxgl-canvas ol-viewport swiper-slide slick-next flatpickr-day
choices__item select2-selection ts-control dropdown-menu filepond--root dz-message fc-event rbc-event gantt-bar kanban-column wpforms-submit woocommerce-cart
billing_first_name shipping_address_1 edit-submit edit-field-tags user_login wp-submit username_or_email oldPassword newPasswd iframe1 img html xml csv pdf url http tcp
ftp ssh ssl tls gpg rgb hsl hwb kWh mph cmyk pgp sql mysql nginx npm pnpm tsx jsx svg png jpg webp mpeg mbps dhcp ldap smtp imap xhr lhs rhs mdl mktg hdr ftr btn lbl txt
ddl chk rdo tbl fld grp pnl dlg frm img-wrap hdr-link nav-lnk loginForm:username form:email invoice-lines tax-rate vatNumber swiftBic crypt sylph lynx nymph psst shh brrr
hmmm tsktsk length widths eighths catchphrase latchstring watchspring knightsbridge Knightsbridge Hirschsprung borschtsch Angstschweiss herbstschnee Rechtsschutz adresse
strasse telefonnummer geschlecht vorname nachname anschrift benutzername passwort wachtwoord gebruikersnaam brzegi haslo przycisk zamowienie prihlaseni odhlasit kirjaudu
salasana lozinka prijava crkva smrt prst vlk krk contrasena usuario buscar enviar correo nombre apellido telefono direccion kosik prenom motdepasse rechercher connexion
envoyer tsushin onamae juusho denwa mima yonghu denglu zhuce shouye xiangqing ctl00_ContentPlaceHolder1_txtName gform_submit_button_1 input_1_3 field-2 question-3-b
__button3 product-42 page2 tab-1 nth-item`;

const words = (s: string): string[] => s.trim().split(/\s+/);

test("what programs make up is told from what people write", () => {
  assert.deepEqual(words(generated).filter(s => kindOf(s) !== "generated"), []);
  assert.deepEqual(words(stable).filter(s => kindOf(s) === "generated"), []);
});

test("most random ids are recognised", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz", both = letters + letters.toUpperCase() + "0123456789";
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;
  const id = (from: string, length: number): string => Array.from({ length }, () => from[random(from.length)]).join("");
  for (const [from, length, least] of [[both, 6, 0.85], [both, 8, 0.93], [both, 12, 0.97], [letters + "0123456789", 8, 0.87], [letters, 8, 0.6]] as const) {
    const found = Array.from({ length: 1000 }, () => id(from, length)).filter(s => kindOf(s) === "generated").length / 1000;
    assert.ok(found >= least, `${found} of ids like ${id(from, length)}`);
  }
});

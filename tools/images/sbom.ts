// A software bill of materials in CycloneDX 1.6, from the package.json of every package whose files are in an image.
import { z } from "zod";

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
});

type Component = {
  readonly type: "library";
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly expression: string }[];
};

type Sbom = {
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly version: 1;
  readonly metadata: { readonly component: { readonly type: "container"; readonly name: string } };
  readonly components: readonly Component[];
};

const toComponent = (text: string): readonly Component[] => {
  // Packages also have manifests without a version, which only set the module type of a folder.
  const { success, data } = Manifest.safeParse(JSON.parse(text));
  if (!success) return [];
  const { name, version, license } = data;
  return [
    {
      type: "library",
      name,
      version,
      purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      licenses: license === undefined ? [] : [{ expression: license }],
    },
  ];
};

/** Lists each package once, sorted, and without a date or serial number, so that equal images have equal lists. */
export function describePackages(image: string, manifests: readonly string[]): Sbom {
  const components = new Map(manifests.flatMap(toComponent).map((component) => [component.purl, component]));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "container", name: image } },
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
}

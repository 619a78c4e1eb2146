// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Inbox} from "../src/Inbox.sol";
import {Base} from "./Base.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @dev What only these tests use of forge's cheatcodes: the vectors are read from a file.
interface FileVm {
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);
    function parseJsonBytes32Array(string calldata json, string calldata key)
        external
        pure
        returns (bytes32[] memory);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function readFile(string calldata path) external view returns (string memory);
    function toString(uint256 value) external pure returns (string memory);
}

/**
 * @dev The hashes of packages/wire, computed as a contract would compute them, agree with its vectors. The types are
 * written out here once more on purpose.
 */
contract WireTest is Base {
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant BARE_DOMAIN = keccak256("EIP712Domain(string name,string version)");
    bytes32 private constant PROPOSAL = keccak256(
        "Proposal(address escrow,uint256 chainId,address to,uint256 value,bytes32 dataHash,bytes32 intentHash,uint8 executionType,uint256 deadline,bytes32 salt)"
    );
    bytes32 private constant SEALED_PROPOSAL = keccak256(
        "SealedProposal(address escrow,uint256 chainId,bytes32 payloadHash,uint8 executionType,uint256 deadline,bytes32 salt)"
    );
    bytes32 private constant VERDICT = keccak256(
        "Verdict(bytes32 requestHash,address escrow,uint256 chainId,address to,uint256 value,bytes32 dataHash,bytes32 intentHash,uint8 decision,bytes32 reportHash,uint64 issuedAt,uint64 validUntil)"
    );
    bytes32 private constant INTENT =
        keccak256("Intent(address account,string text,uint256 chainId,bytes32 nonce,uint256 expiresAt)");

    FileVm private constant FILES = FileVm(address(vm));

    string private _json;

    function setUp() public {
        _json = FILES.readFile("../packages/wire/vectors.json");
    }

    function test_ProposalsHashAlike() public view {
        uint256 count = 0;
        for (string memory place; _exists(place = _at(".proposals", count)); ++count) {
            string memory fields = string.concat(place, ".fields");
            bytes32 dataHash = keccak256(FILES.parseJsonBytes(_json, string.concat(fields, ".data")));
            bytes32 intentHash = keccak256(bytes(_text(fields, ".userPrompt")));
            bytes memory what = abi.encode(
                PROPOSAL,
                _account(fields, ".escrow"),
                _number(fields, ".chainId"),
                _account(fields, ".to"),
                _number(fields, ".value"),
                dataHash,
                intentHash
            );
            bytes memory terms = abi.encode(
                _number(fields, ".executionType"), _number(fields, ".deadline"), _word(fields, ".salt")
            );
            vm.assertEq(dataHash, _word(place, ".dataHash"));
            vm.assertEq(intentHash, _word(place, ".intentHash"));
            vm.assertEq(_digest(_domain(place), bytes.concat(what, terms)), _word(place, ".requestHash"));
        }
        vm.assertEq(count >= 12, true);
    }

    function test_SealedProposalsHashAlike() public view {
        uint256 count = 0;
        for (string memory place; _exists(place = _at(".sealedProposals", count)); ++count) {
            string memory fields = string.concat(place, ".fields");
            bytes32 payloadHash = keccak256(bytes(_text(fields, ".ciphertext")));
            bytes memory encoded = abi.encode(
                SEALED_PROPOSAL,
                _account(fields, ".escrow"),
                _number(fields, ".chainId"),
                payloadHash,
                _number(fields, ".executionType"),
                _number(fields, ".deadline"),
                _word(fields, ".salt")
            );
            vm.assertEq(payloadHash, _word(place, ".payloadHash"));
            vm.assertEq(_digest(_domain(place), encoded), _word(place, ".requestHash"));
        }
        vm.assertEq(count >= 3, true);
    }

    function test_VerdictsHashAlikeAndAreSigned() public view {
        uint256 count = 0;
        for (string memory place; _exists(place = _at(".verdicts", count)); ++count) {
            string memory verdict = string.concat(place, ".verdict");
            bytes memory what = abi.encode(
                VERDICT,
                _word(verdict, ".requestHash"),
                _account(verdict, ".escrow"),
                _number(verdict, ".chainId"),
                _account(verdict, ".to"),
                _number(verdict, ".value"),
                _word(verdict, ".dataHash"),
                _word(verdict, ".intentHash")
            );
            bytes memory judgement = abi.encode(
                _decision(_text(verdict, ".decision")),
                _word(verdict, ".reportHash"),
                _number(verdict, ".issuedAt"),
                _number(verdict, ".validUntil")
            );
            bytes32 digest = _digest(_domain(place), bytes.concat(what, judgement));
            vm.assertEq(digest, _word(place, ".digest"));
            vm.assertEq(_signerOf(digest, place), _account(place, ".signer"));
        }
        vm.assertEq(count >= 3, true);
    }

    function test_IntentsHashAlike() public view {
        bytes32 domain = keccak256(abi.encode(BARE_DOMAIN, keccak256("Countersign"), keccak256("1")));
        uint256 count = 0;
        for (string memory place; _exists(place = _at(".intents", count)); ++count) {
            string memory intent = string.concat(place, ".intent");
            bytes memory encoded = abi.encode(
                INTENT,
                _account(intent, ".account"),
                keccak256(bytes(_text(intent, ".text"))),
                _number(intent, ".chainId"),
                _word(intent, ".nonce"),
                _number(intent, ".expiresAt")
            );
            vm.assertEq(_digest(domain, encoded), _word(place, ".digest"));
        }
        vm.assertEq(count >= 3, true);
    }

    function test_RegistrationsAreUnderTheirRoot() public {
        address[] memory recorders = new address[](1);
        recorders[0] = address(this);
        Inbox inbox = new Inbox(OWNER, recorders);
        uint256 count = 0;
        for (string memory place; _exists(place = _at(".registrations", count)); ++count) {
            bytes32 root = _word(place, ".root");
            address service = _account(place, ".inbox");
            inbox.recordRoot(root, _word(place, ".listDigest"), service);
            string memory entries = string.concat(place, ".entries");
            uint256 size = 0;
            for (string memory entry; _exists(entry = _at(entries, size)); ++size) {
                Inbox.NewEntry memory leaf =
                    Inbox.NewEntry(_word(entry, ".requestHash"), _word(entry, ".contentDigest"), service);
                bytes32[] memory proof =
                    FILES.parseJsonBytes32Array(_json, _at(string.concat(place, ".proofs"), size));
                vm.assertEq(inbox.isUnderRoot(leaf, root, proof), true);
                leaf.contentDigest = ~leaf.contentDigest;
                vm.assertEq(inbox.isUnderRoot(leaf, root, proof), false);
            }
            vm.assertEq(size > 0, true);
        }
        vm.assertEq(count >= 4, true);
    }

    function _domain(string memory place) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN,
                keccak256("Countersign"),
                keccak256("1"),
                _number(place, ".domain.chainId"),
                _account(place, ".domain.inbox")
            )
        );
    }

    function _digest(bytes32 domain, bytes memory encoded) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domain, keccak256(encoded)));
    }

    function _decision(string memory word) private pure returns (uint8) {
        bytes32 hash = keccak256(bytes(word));
        if (hash == keccak256("APPROVED")) return 1;
        if (hash == keccak256("REJECTED")) return 2;
        vm.assertEq(hash, keccak256("UNDECIDED"));
        return 3;
    }

    function _signerOf(bytes32 digest, string memory place) private view returns (address) {
        bytes memory signature = FILES.parseJsonBytes(_json, string.concat(place, ".signature"));
        vm.assertEq(signature.length, 65);
        return ECDSA.recover(digest, signature);
    }

    function _at(string memory list, uint256 index) private pure returns (string memory) {
        return string.concat(list, "[", FILES.toString(index), "]");
    }

    function _exists(string memory place) private view returns (bool) {
        return FILES.keyExistsJson(_json, place);
    }

    function _account(string memory place, string memory member) private view returns (address) {
        return FILES.parseJsonAddress(_json, string.concat(place, member));
    }

    function _number(string memory place, string memory member) private view returns (uint256) {
        return FILES.parseJsonUint(_json, string.concat(place, member));
    }

    function _text(string memory place, string memory member) private view returns (string memory) {
        return FILES.parseJsonString(_json, string.concat(place, member));
    }

    function _word(string memory place, string memory member) private view returns (bytes32) {
        return FILES.parseJsonBytes32(_json, string.concat(place, member));
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/**
 * @dev The one rule about OpenPGP fingerprints that a contract can check: RFC 9580, section 5.5.4, makes them 20 bytes
 * long for a version 4 key and 32 for a version 6 key. Whether such a key exists is the reader's to find out.
 */
library Fingerprint {
    error InvalidFingerprintLength(uint256 length);

    function check(bytes calldata fingerprint) internal pure {
        if (fingerprint.length != 20 && fingerprint.length != 32) {
            revert InvalidFingerprintLength(fingerprint.length);
        }
    }
}

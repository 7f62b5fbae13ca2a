package main

import (
	"fmt"
	"net"
	"os/exec"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// policyTable holds the rules for the pods of this node. Traffic from the node to its own pods, such as probes, does not
// pass the forward hook and is always allowed, as the API requires.
const policyTable = "pod-network-policy"

type clusterState struct {
	nodeName   string
	pods       []*corev1.Pod
	namespaces map[string]labels.Set
	policies   []*networkingv1.NetworkPolicy
}

// rules is the complete table as one transaction: nftables replaces the old one at once.
func (state *clusterState) rules() (string, error) {
	var chains, sources, destinations []string
	for _, pod := range state.pods {
		if pod.Spec.NodeName != state.nodeName || !hasOwnAddress(pod) {
			continue
		}
		ingress, egress, err := state.rulesOf(pod)
		if err != nil {
			return "", err
		}
		address := pod.Status.PodIP
		name := strings.ReplaceAll(address, ".", "-")
		if ingress != nil {
			chains = append(chains, chain("ingress-"+name, ingress))
			destinations = append(destinations, fmt.Sprintf("%s : jump ingress-%s", address, name))
		}
		if egress != nil {
			chains = append(chains, chain("egress-"+name, egress))
			sources = append(sources, fmt.Sprintf("%s : jump egress-%s", address, name))
		}
	}
	forward := []string{"type filter hook forward priority filter; policy accept;", "ct state established,related accept"}
	if len(sources) > 0 {
		forward = append(forward, fmt.Sprintf("ip saddr vmap { %s }", strings.Join(sources, ", ")))
	}
	if len(destinations) > 0 {
		forward = append(forward, fmt.Sprintf("ip daddr vmap { %s }", strings.Join(destinations, ", ")))
	}
	chains = append(chains, fmt.Sprintf("chain forward {\n%s\n}", strings.Join(forward, "\n")))
	return fmt.Sprintf("add table ip %[1]s\ndelete table ip %[1]s\ntable ip %[1]s {\n%[2]s\n}\n", policyTable, strings.Join(chains, "\n")), nil
}

func chain(name string, allowed []string) string {
	return fmt.Sprintf("chain %s {\n%s\n}", name, strings.Join(append(allowed, "drop"), "\n"))
}

// rulesOf returns what is allowed to and from a pod. A direction that no policy isolates is nil.
func (state *clusterState) rulesOf(pod *corev1.Pod) (ingress []string, egress []string, err error) {
	for _, policy := range state.policies {
		isSelected, err := matches(&policy.Spec.PodSelector, pod.Labels)
		if err != nil {
			return nil, nil, err
		}
		if policy.Namespace != pod.Namespace || !isSelected {
			continue
		}
		for _, direction := range policy.Spec.PolicyTypes {
			if direction == networkingv1.PolicyTypeIngress {
				if ingress == nil {
					ingress = []string{}
				}
				for _, rule := range policy.Spec.Ingress {
					allowed, err := state.ingressRules(policy.Namespace, pod, rule)
					if err != nil {
						return nil, nil, err
					}
					ingress = append(ingress, allowed...)
				}
				continue
			}
			if egress == nil {
				egress = []string{}
			}
			for _, rule := range policy.Spec.Egress {
				allowed, err := state.egressRules(policy.Namespace, rule)
				if err != nil {
					return nil, nil, err
				}
				egress = append(egress, allowed...)
			}
		}
	}
	return ingress, egress, nil
}

func (state *clusterState) ingressRules(namespace string, pod *corev1.Pod, rule networkingv1.NetworkPolicyIngressRule) ([]string, error) {
	sources, err := state.peers(namespace, rule.From)
	if err != nil {
		return nil, err
	}
	allowed := []string{}
	for _, source := range sources {
		for _, port := range portsOf(rule.Ports, pod) {
			allowed = append(allowed, strings.TrimSpace(source.match("saddr")+port)+" return")
		}
	}
	return allowed, nil
}

func (state *clusterState) egressRules(namespace string, rule networkingv1.NetworkPolicyEgressRule) ([]string, error) {
	destinations, err := state.peers(namespace, rule.To)
	if err != nil {
		return nil, err
	}
	allowed := []string{}
	for _, destination := range destinations {
		for _, port := range portsOf(rule.Ports, destination.pod) {
			allowed = append(allowed, strings.TrimSpace(destination.match("daddr")+port)+" return")
		}
	}
	return allowed, nil
}

// peer is a source or a destination: a pod, an address block, or everything when it has no address.
type peer struct {
	pod     *corev1.Pod
	address string
	except  []string
}

func (p peer) match(field string) string {
	if p.address == "" {
		return ""
	}
	text := fmt.Sprintf("ip %s %s ", field, p.address)
	if len(p.except) > 0 {
		text += fmt.Sprintf("ip %s != { %s } ", field, strings.Join(p.except, ", "))
	}
	return text
}

func (state *clusterState) peers(namespace string, given []networkingv1.NetworkPolicyPeer) ([]peer, error) {
	if len(given) == 0 {
		// A named port is the port of a pod, so that pods are listed beside everything else.
		all := []peer{{}}
		for _, pod := range state.pods {
			if hasOwnAddress(pod) {
				all = append(all, peer{pod: pod, address: pod.Status.PodIP})
			}
		}
		return all, nil
	}
	found := []peer{}
	for _, one := range given {
		if one.IPBlock != nil {
			if isIPv4(one.IPBlock.CIDR) {
				found = append(found, peer{address: one.IPBlock.CIDR, except: one.IPBlock.Except})
			}
			continue
		}
		for _, pod := range state.pods {
			isPeer, err := state.isPeer(namespace, one, pod)
			if err != nil {
				return nil, err
			}
			if isPeer {
				found = append(found, peer{pod: pod, address: pod.Status.PodIP})
			}
		}
	}
	return found, nil
}

func (state *clusterState) isPeer(namespace string, given networkingv1.NetworkPolicyPeer, pod *corev1.Pod) (bool, error) {
	if !hasOwnAddress(pod) {
		return false, nil
	}
	if given.NamespaceSelector == nil {
		if pod.Namespace != namespace {
			return false, nil
		}
	} else if isSelected, err := matches(given.NamespaceSelector, state.namespaces[pod.Namespace]); err != nil || !isSelected {
		return false, err
	}
	if given.PodSelector == nil {
		return true, nil
	}
	return matches(given.PodSelector, pod.Labels)
}

// portsOf returns matches for ports. A named port that the destination does not have matches nothing.
func portsOf(ports []networkingv1.NetworkPolicyPort, destination *corev1.Pod) []string {
	if len(ports) == 0 {
		return []string{""}
	}
	found := []string{}
	for _, port := range ports {
		protocol := corev1.ProtocolTCP
		if port.Protocol != nil {
			protocol = *port.Protocol
		}
		name := strings.ToLower(string(protocol))
		switch {
		case port.Port == nil:
			found = append(found, "meta l4proto "+name)
		case port.Port.Type == intstr.String:
			for _, number := range namedPorts(destination, port.Port.StrVal, protocol) {
				found = append(found, fmt.Sprintf("%s dport %d", name, number))
			}
		case port.EndPort != nil:
			found = append(found, fmt.Sprintf("%s dport %d-%d", name, port.Port.IntVal, *port.EndPort))
		default:
			found = append(found, fmt.Sprintf("%s dport %d", name, port.Port.IntVal))
		}
	}
	return found
}

func namedPorts(pod *corev1.Pod, name string, protocol corev1.Protocol) []int32 {
	found := []int32{}
	if pod == nil {
		return found
	}
	for _, container := range pod.Spec.Containers {
		for _, port := range container.Ports {
			if port.Name == name && (port.Protocol == protocol || (port.Protocol == "" && protocol == corev1.ProtocolTCP)) {
				found = append(found, port.ContainerPort)
			}
		}
	}
	return found
}

func matches(selector *metav1.LabelSelector, set map[string]string) (bool, error) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return false, err
	}
	return parsed.Matches(labels.Set(set)), nil
}

// hasOwnAddress is false for pods without an address yet, pods of the node's network, and pods that have ended, whose
// address may belong to another pod.
func hasOwnAddress(pod *corev1.Pod) bool {
	hasEnded := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	return !pod.Spec.HostNetwork && !hasEnded && net.ParseIP(pod.Status.PodIP).To4() != nil
}

func isIPv4(cidr string) bool {
	address, _, err := net.ParseCIDR(cidr)
	return err == nil && address.To4() != nil
}

func (state *clusterState) sort() {
	sort.Slice(state.pods, func(i, j int) bool { return keyOf(state.pods[i]) < keyOf(state.pods[j]) })
	sort.Slice(state.policies, func(i, j int) bool { return keyOf(state.policies[i]) < keyOf(state.policies[j]) })
}

func keyOf(object metav1.Object) string {
	return object.GetNamespace() + "/" + object.GetName()
}

func load(rules string) error {
	command := exec.Command("nft", "-f", "-")
	command.Stdin = strings.NewReader(rules)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("nft: %w: %s", err, output)
	}
	return nil
}
